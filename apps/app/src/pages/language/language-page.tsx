import Check from 'lucide-react/icons/check';
import {
  browserLanguage,
  type InterfaceLanguage,
  interfaceLanguages,
  useLanguageChoice,
  useTranslation,
} from '../../i18n/index.ts';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useSignedOutServices, useStore } from '../../page-kit/services-context.ts';
import { useChooseLanguage } from '../../ui/choose-language.ts';
import './language.css';

/** Selects the interface language, or follows the browser. Each name is in its native script and direction. */
export default function LanguagePage() {
  const { t } = useTranslation();
  const { account } = useSignedOutServices();
  const { status } = useStore(account.state);
  const chosenLanguage = useLanguageChoice();
  const automaticLanguage = interfaceLanguages.find(
    ({ language }) => language === browserLanguage(),
  );

  const chooseLanguage = useChooseLanguage();
  const choose = (language: InterfaceLanguage | null) => void chooseLanguage(language);
  return (
    <Page title={t('language.title')} parent={status === 'signed-in' ? paths.me : paths.entry}>
      <fieldset className="card languages">
        <legend className="visually-hidden">{t('language.title')}</legend>
        <label className="line">
          <input
            type="radio"
            name="language"
            className="visually-hidden"
            data-testid="language-browser"
            checked={chosenLanguage === null}
            onChange={() => choose(null)}
          />
          <span className="line-words">
            <span>{t('language.browser')}</span>
            <span lang={automaticLanguage?.language} dir={automaticLanguage?.direction}>
              {automaticLanguage?.name}
            </span>
          </span>
          <Check className="language-mark" size={20} aria-hidden="true" />
        </label>
        {interfaceLanguages.map(({ language, name, direction }) => (
          <label className="line" key={language}>
            <input
              type="radio"
              name="language"
              className="visually-hidden"
              data-testid={`language-${language}`}
              checked={chosenLanguage === language}
              onChange={() => choose(language)}
            />
            <span className="line-words" lang={language} dir={direction}>
              {name}
            </span>
            <Check className="language-mark" size={20} aria-hidden="true" />
          </label>
        ))}
      </fieldset>
    </Page>
  );
}

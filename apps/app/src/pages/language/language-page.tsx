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

/** Selects the interface language or follows the browser. Each name has its native script and direction. */
export default function LanguagePage() {
  const { t } = useTranslation();
  const { account } = useSignedOutServices();
  const { status } = useStore(account.state);
  const chosen = useLanguageChoice();
  const browser = interfaceLanguages.find(({ language }) => language === browserLanguage());

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
            checked={chosen === null}
            onChange={() => choose(null)}
          />
          <span className="line-words">
            <span>{t('language.browser')}</span>
            <span lang={browser?.language} dir={browser?.direction}>
              {browser?.name}
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
              checked={chosen === language}
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

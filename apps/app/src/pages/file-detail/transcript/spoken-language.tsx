import { autoLanguage, languages, type SpokenLanguage } from '@linnet/contract/languages';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useLanguageName } from '../../../i18n/language-name.ts';
import { useSave } from '../../../page-kit/saving.ts';
import { useServerInfo, useServices } from '../../../page-kit/services-context.ts';
import type { OpenRecord } from '../open-record.ts';
import './transcript-progress.css';

const allLanguages: readonly SpokenLanguage[] = [
  ...languages.map(({ bcp47 }) => bcp47),
  autoLanguage,
];

/** Shows and sets the language for transcribing a recording automatically. */
export function RecordingLanguage({ record }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const appLanguage = useLanguage();
  const languageName = useLanguageName();
  const { library } = useServices();
  const serverInfo = useServerInfo();
  const save = useSave();
  const { id, language } = record;
  // Before the server's first response, any language might be supported.
  const isOffered = (tag: SpokenLanguage) =>
    serverInfo === null ||
    tag === language ||
    serverInfo.languages.some((each) => each.language === tag);
  return (
    <div className="transcribe">
      <label>
        <span>{t('steps.transcribeIn')}</span>
        <select
          value={language ?? ''}
          data-testid="recording-language"
          onChange={({ currentTarget: { value } }) => {
            const chosen = allLanguages.find((tag) => tag === value) ?? null;
            save(() => library.setLanguage(id, chosen));
          }}
        >
          <option value="">
            {t('steps.appLanguage', { language: languageName(appLanguage) })}
          </option>
          {allLanguages.filter(isOffered).map((tag) => (
            <option key={tag} value={tag}>
              {languageName(tag)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

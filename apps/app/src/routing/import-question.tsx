import { formatCount, formatDurationInSentence } from '../i18n/format.ts';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { joinSentences } from '../i18n/joined.ts';
import { useServices, useStore } from '../page-kit/services-context.ts';
import { Confirm } from '../ui/dialog.tsx';

/** Asks for confirmation before importing files whose transcription would use more than ten minutes of the balance. */
export function ImportQuestion() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { imports } = useServices();
  const question = useStore(imports.question);
  if (!question) return null;
  const { files, minutes, remainingMinutes } = question;
  const remaining =
    remainingMinutes === null
      ? ''
      : t('imports.ask.left', { left: formatDurationInSentence(remainingMinutes * 60, language) });
  return (
    <Confirm
      title={t('imports.ask.title', { count: files, formatted: formatCount(files, language) })}
      confirmLabel={t('imports.ask.transcribe')}
      alternative={{ label: t('imports.ask.only'), onConfirm: () => imports.answer('import') }}
      onConfirm={() => imports.answer('transcribe')}
      onCancel={() => imports.answer('cancel')}
    >
      {joinSentences(
        [
          t('imports.ask.means', { length: formatDurationInSentence(minutes * 60, language) }),
          remaining,
        ],
        language,
      )}
    </Confirm>
  );
}

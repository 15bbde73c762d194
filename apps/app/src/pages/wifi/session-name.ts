import { formatShortDate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { recordingName } from '../../i18n/record-name.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';

/** Returns a function that names a session after its recording, or else by its start time. */
export function useSessionName(): (session: {
  recordId: string;
  startedAt: string | null;
}) => string {
  const { t } = useTranslation();
  const language = useLanguage();
  const records = useStore(useServices().library.records);
  const listed = records.status === 'ready' ? records.value : [];
  return ({ recordId, startedAt }) => {
    const record = listed.find(({ id }) => id === recordId);
    const hasName = record && (record.title || record.ai_title);
    if (hasName) return recordingName(record, t, language);
    return startedAt ? formatShortDate(startedAt, language) : t('sessions.unknownStart');
  };
}

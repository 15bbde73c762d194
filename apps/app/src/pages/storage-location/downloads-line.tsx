import Download from 'lucide-react/icons/download';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';

/** Shows the progress of downloading audio that is only in the cloud. Renders nothing if no downloads are pending. */
export function DownloadsLine() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { pendingWork, library } = useServices();
  const state = useStore(pendingWork.state);
  const records = useStore(library.records);
  if (state.status === 'loading' || records.status === 'loading') return null;
  const remaining = state.value.records.filter(({ step }) => step === 'download');
  if (remaining.length === 0) return null;
  const transferred = records.value.filter(
    ({ copies }) => !['absent', 'partial'].includes(copies.phone.status),
  ).length;
  const moving = records.value.reduce(
    (sum, { movement }) => sum + (movement?.step === 'download' ? movement.fraction : 0),
    0,
  );
  return (
    <div className="line" data-testid="downloads" data-left={remaining.length}>
      <Download size={20} aria-hidden="true" />
      <span className="line-words">
        <span role="status">
          {t('storage.location.downloading', {
            formatted: formatCount(remaining.length, language),
          })}
        </span>
        <progress
          max={transferred + remaining.length}
          value={transferred + moving}
          aria-hidden="true"
        />
      </span>
    </div>
  );
}

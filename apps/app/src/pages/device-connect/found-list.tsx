import ChevronRight from 'lucide-react/icons/chevron-right';
import Search from 'lucide-react/icons/search';
import { isolate } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';
import type { FoundRecorder } from '../../ports/recorder.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';
import { signalStrength } from './signal.ts';

/** Lists the discovered recorders. */
export function FoundList({
  recorders,
  onBind,
  onSearch,
  onOther,
}: {
  recorders: readonly FoundRecorder[];
  onBind(recorder: FoundRecorder): void;
  onSearch(): void;
  onOther(): void;
}) {
  const { t } = useTranslation();
  if (recorders.length === 0) {
    return (
      <EmptyState
        title={t('connect.nothing')}
        drawing={<RecorderDrawing face="off" />}
        action={
          <div className="connect-actions">
            <Button variant="primary" icon={<Search size={18} />} onClick={onSearch}>
              {t('connect.searchAgain')}
            </Button>
            <Button variant="quiet" onClick={onOther}>
              {t('connect.otherWay')}
            </Button>
          </div>
        }
      >
        {t('connect.nothingHint')}
      </EmptyState>
    );
  }
  return (
    <>
      <Section title={t('connect.found')}>
        {recorders.map((recorder) => {
          const details = [
            recorder.sn,
            recorder.rssi !== null && t(`connect.signal.${signalStrength(recorder.rssi)}`),
            recorder.bound !== null && t(recorder.bound ? 'connect.boundYes' : 'connect.boundNo'),
          ].filter((detail): detail is string => Boolean(detail));
          return (
            <button
              key={recorder.deviceId}
              type="button"
              className="line found-line"
              data-testid="found-recorder"
              data-device-id={recorder.deviceId}
              onClick={() => onBind(recorder)}
            >
              <RecorderDrawing face="idle" height={48} />
              <span className="line-words">
                <span dir="auto">{recorder.name}</span>
                {details.length > 0 && <span>{details.map(isolate).join(' · ')}</span>}
              </span>
              <ChevronRight className="turns" size={20} aria-hidden="true" />
            </button>
          );
        })}
      </Section>
      <div className="connect-actions">
        <Button variant="quiet" onClick={onSearch}>
          {t('connect.searchAgain')}
        </Button>
        <Button variant="quiet" onClick={onOther}>
          {t('connect.otherWay')}
        </Button>
      </div>
    </>
  );
}

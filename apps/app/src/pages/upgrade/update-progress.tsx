import { formatDurationInSentence, formatPercentage } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { FirmwareUpdate } from '../../ports/firmware.ts';
import { Button } from '../../ui/button.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';
import { ProgressRing } from '../../ui/ring.tsx';
import { UpdateRules } from './update-rules.tsx';

/** Percentage shown once the firmware has been sent. Only the recorder's confirmation completes the update. */
const SENT_PERCENT = 99;

const faces = {
  fetching: 'idle',
  sending: 'updating',
  asking: 'asking',
  restarting: 'searching',
} as const;

/** Shows an update in progress: the percentage, the remaining time, and the rules to follow. */
export function UpdateProgress({
  update,
}: {
  update: Extract<FirmwareUpdate, { status: 'fetching' | 'sending' | 'asking' | 'restarting' }>;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { firmware } = useServices().recorder;
  const { status } = update;
  const { version } = update.firmware;
  const percent = status === 'fetching' ? 0 : status === 'sending' ? update.percent : SENT_PERCENT;
  const percentText = formatPercentage(percent, language);
  return (
    <>
      <div className="upgrade-hero">
        <span className="upgrade-ring">
          <ProgressRing
            percent={percent}
            size={224}
            label={t('upgrade.progress', { percent: percentText })}
            testId="update-progress"
          />
          <RecorderDrawing face={faces[status]} height={140} />
        </span>
        <p className="upgrade-percent tabular" aria-hidden="true">
          {percentText}
        </p>
        <div role="status">
          <h2 className="display">
            {status === 'asking' ? t('upgrade.asking') : t(`upgrade.${status}`, { version })}
          </h2>
        </div>
        <p>
          {status === 'sending' &&
            t('upgrade.left', {
              time: formatDurationInSentence(Math.max(1, update.secondsLeft), language),
            })}
          {status === 'asking' && t('upgrade.askingHint')}
          {status === 'restarting' && t('upgrade.restartingHint')}
        </p>
      </div>
      <UpdateRules />
      {(status === 'fetching' || (status === 'sending' && percent < SENT_PERCENT)) && (
        <Button wide data-testid="cancel-update" onClick={() => firmware.cancel()}>
          {t('common.cancel')}
        </Button>
      )}
      {status === 'restarting' && (
        <Button wide data-testid="dismiss" onClick={() => firmware.dismiss()}>
          {t('upgrade.later')}
        </Button>
      )}
    </>
  );
}

import { describeFirmwareFailure } from '../../i18n/failures.ts';
import { formatPercentage } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { FirmwareUpdate } from '../../ports/firmware.ts';
import type { ConnectedRecorder } from '../../ports/recorder.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';

/** Shown after a successful update, once the recorder has confirmed the new version. */
export function UpdateDone({ version }: { version: string }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t('upgrade.done', { version })}
      drawing={<RecorderDrawing face="bound" />}
      action={
        <PageLink to={paths.myDevice} transition="pop" className="button" data-look="primary">
          {t('upgrade.toRecorder')}
        </PageLink>
      }
    >
      {t('upgrade.doneHint')}
    </EmptyState>
  );
}

/** Shown after a failed update, with the reason, the effect on the recorder, and a way to retry. */
export function UpdateFailed({
  update: { failure, percent },
  device,
}: {
  update: Extract<FirmwareUpdate, { status: 'failed' }>;
  /** The recorder being updated; null while it isn't connected. */
  device: ConnectedRecorder | null;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { firmware } = useServices().recorder;
  const failureText = describeFirmwareFailure(t, failure);
  return (
    <>
      <div className="upgrade-hero">
        <RecorderDrawing face={device ? 'idle' : 'off'} />
        <h2 className="display">{t('upgrade.failed')}</h2>
        <p>
          {device
            ? t('upgrade.versionUnchanged', { version: device.info.firmwareVersion })
            : t('upgrade.recorderIntact')}
        </p>
      </div>
      <Notice message={failureText.message} detail={failureText.advice} code={failureText.code}>
        {percent > 0 && percent < 99 && (
          <p>{t('upgrade.reachedPercent', { percent: formatPercentage(percent, language) })}</p>
        )}
      </Notice>
      <div className="upgrade-actions">
        {device?.capabilities.updatesFirmware !== false && (
          <Button
            variant="primary"
            wide
            disabled={!device}
            data-testid="update-again"
            onClick={() => void firmware.start()}
          >
            {t('common.retry')}
          </Button>
        )}
        {!device && <p className="small-print">{t('upgrade.waitForLink')}</p>}
        <Button variant="quiet" data-testid="dismiss" onClick={() => firmware.dismiss()}>
          {t('upgrade.later')}
        </Button>
      </div>
    </>
  );
}

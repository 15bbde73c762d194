import { useEffect } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { NotConnected } from '../../page-kit/not-connected.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { ConnectedRecorder } from '../../ports/recorder.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';
import { Offer } from './offer.tsx';
import { UpdateProgress } from './update-progress.tsx';
import { UpdateDone, UpdateFailed } from './update-result.tsx';
import './upgrade.css';

/** Shows the recorder's firmware: installed version, available version, and the update process. */
export default function UpgradePage() {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const { firmware } = recorder;
  const link = useStore(recorder.link);
  const update = useStore(firmware.update);
  const isConnected = link.status === 'connected';

  // Dismiss a finished update the next time the page opens.
  useEffect(() => {
    if (firmware.update.get().status === 'done') firmware.dismiss();
  }, [firmware]);
  // Another recorder may have connected during the update.
  const isIdle = isConnected && ['idle', 'failed', 'done'].includes(update.status);
  useEffect(() => {
    if (isIdle) void firmware.check();
  }, [isIdle, firmware]);

  return (
    <Page title={t('upgrade.title')} parent={paths.myDevice} step={update.status}>
      <div className="upgrade" data-testid="upgrade" data-status={update.status}>
        {update.status === 'done' ? (
          <UpdateDone version={update.version} />
        ) : update.status === 'failed' ? (
          <UpdateFailed
            update={update}
            device={isConnected && [null, link.sn].includes(update.sn) ? link.recorder : null}
          />
        ) : update.status !== 'idle' ? (
          <UpdateProgress update={update} />
        ) : isConnected ? (
          <OfferedVersion device={link.recorder} />
        ) : (
          <NotConnected link={link} title={t('upgrade.notConnected')}>
            {t('upgrade.notConnectedHint')}
          </NotConnected>
        )}
      </div>
    </Page>
  );
}

/** Shows the version that the server offers for this recorder. */
function OfferedVersion({ device }: { device: ConnectedRecorder }) {
  const { t } = useTranslation();
  const { firmware } = useServices().recorder;
  const offered = useStore(firmware.offered);
  const version = device.info.firmwareVersion;
  const retryButton = (
    <Button data-testid="look-again" onClick={() => void firmware.check()}>
      {t('upgrade.again')}
    </Button>
  );
  if (!device.capabilities.updatesFirmware) {
    return (
      <EmptyState
        title={t('device.command_unknown.what')}
        drawing={<RecorderDrawing face="idle" />}
      >
        {t('device.command_unknown.todo')}
        <br />
        <bdi>{t('upgrade.runs', { version })}</bdi>
      </EmptyState>
    );
  }
  switch (offered.status) {
    case 'unknown':
    case 'checking':
      return <LoadingPlaceholder lines={4} />;
    case 'failed': {
      const { code } = describeFailure(t, offered.failure);
      return (
        <Notice
          message={t('upgrade.lookFailed')}
          detail={t('upgrade.lookFailedHint')}
          code={code}
          action={retryButton}
        />
      );
    }
    case 'none':
      return (
        <EmptyState
          title={t('upgrade.none')}
          drawing={<RecorderDrawing face="idle" />}
          action={retryButton}
        >
          {t('upgrade.noneHint')}
          <br />
          <bdi>{t('upgrade.runs', { version })}</bdi>
        </EmptyState>
      );
    case 'found':
      return offered.firmware.version === version ? (
        <EmptyState
          title={t('upgrade.newest', { version })}
          drawing={<RecorderDrawing face="bound" />}
          action={retryButton}
        >
          {t('upgrade.newestHint')}
        </EmptyState>
      ) : (
        <Offer firmware={offered.firmware} device={device} />
      );
  }
}

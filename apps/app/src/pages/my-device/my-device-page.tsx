import { useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { ConnectedRecorder, LinkState } from '../../ports/recorder.ts';
import { EmptyState } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';
import { AboutSection } from './about-section.tsx';
import { ConnectionLine } from './connection-line.tsx';
import { DeviceHead } from './device-head.tsx';
import { FirmwareLine } from './firmware-line.tsx';
import { GuideLine } from './guide-line.tsx';
import { LogSection } from './log-section.tsx';
import { SettingsSection } from './settings-section.tsx';
import { SpaceSection } from './space-section.tsx';
import { UnbindLine } from './unbind-line.tsx';
import { UsageSection } from './usage-section.tsx';
import './my-device.css';

/**
 * Returns the recorder's last known state. The state is retained while the recorder is disconnected, so that
 * the page stays stable.
 */
function useLastSeen(link: LinkState): ConnectedRecorder | null {
  const [seen, setSeen] = useState<ConnectedRecorder | null>(null);
  const sn = link.status === 'none' ? null : link.sn;
  const current = link.status === 'connected' ? link.recorder : seen?.info.sn === sn ? seen : null;
  if (current !== seen) setSeen(current);
  return current;
}

/** Shows the recorder's activity, storage, settings and log. */
export default function MyDevicePage() {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const link = useStore(recorder.link);
  const device = useLastSeen(link);
  const isConnected = link.status === 'connected';

  useEffect(() => {
    if (!isConnected) return;
    // The page omits values that fail to load. The features that need them report the failure.
    void recorder.readUsage();
    void recorder.listSessions();
    void recorder.firmware.check();
  }, [isConnected, recorder]);

  return (
    <Page title={t('myDevice.title')} parent={paths.me} step={link.status}>
      {link.status === 'none' ? (
        <EmptyState
          title={t('sessions.notConnected')}
          drawing={<RecorderDrawing face="off" />}
          action={
            <PageLink to={paths.deviceConnect} className="button" data-look="primary">
              {t('files.connect')}
            </PageLink>
          }
        >
          {t('myDevice.noneHint')}
        </EmptyState>
      ) : (
        <>
          <DeviceHead link={link} device={device} />
          {device && (
            <>
              <SpaceSection device={device} />
              <SettingsSection device={device} connected={isConnected} />
              <ConnectionLine link={link} />
              <FirmwareLine version={device.info.firmwareVersion} />
              <AboutSection info={device.info} />
              <UsageSection usage={device.usage} />
              <LogSection connected={isConnected} />
            </>
          )}
          <GuideLine />
          <UnbindLine link={link} />
        </>
      )}
    </Page>
  );
}

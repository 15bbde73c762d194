import { useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { NotConnected } from '../../page-kit/not-connected.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { ConnectedRecorder, LinkState } from '../../ports/recorder.ts';
import { AboutSection } from './about-section.tsx';
import { ConnectionLine } from './connection-line.tsx';
import { DeviceHead } from './device-head.tsx';
import { FirmwareLine } from './firmware-line.tsx';
import { GuideLine } from './guide-line.tsx';
import { LogSection } from './log-section.tsx';
import { OmiSection } from './omi-section.tsx';
import { PocketSection } from './pocket-section.tsx';
import { SettingsSection } from './settings-section.tsx';
import { SpaceSection } from './space-section.tsx';
import { UnbindLine } from './unbind-line.tsx';
import { UsageSection } from './usage-section.tsx';
import './my-device.css';

/**
 * Returns the recorder's last known state. It is retained while the recorder is disconnected, to keep the page stable.
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
  const { recorder, omi, pocket } = useServices();
  const link = useStore(recorder.link);
  const hasOmi = useStore(omi.state).status !== 'none';
  const hasPocket = useStore(pocket.state).status !== 'none';
  const hasOther = hasOmi || hasPocket;
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
      {hasOmi && <OmiSection />}
      {hasPocket && <PocketSection />}
      {link.status === 'none' && hasOther ? null : link.status === 'none' ? (
        <NotConnected link={link} title={t('sessions.notConnected')}>
          {t('myDevice.noneHint')}
        </NotConnected>
      ) : (
        <>
          <DeviceHead link={link} device={device} />
          {device && (
            <>
              <SpaceSection device={device} />
              <SettingsSection device={device} connected={isConnected} />
              <ConnectionLine link={link} />
              <FirmwareLine device={device} />
              <AboutSection info={device.info} />
              <UsageSection usage={device.usage} />
              <LogSection connected={isConnected} isAvailable={device.capabilities.keepsLog} />
            </>
          )}
          <GuideLine />
          <UnbindLine link={link} />
        </>
      )}
    </Page>
  );
}

import Copy from 'lucide-react/icons/copy';
import Wifi from 'lucide-react/icons/wifi';
import { isolate } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { DeviceSystem } from '../../ports/system.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy.ts';
import { NoNetwork } from './no-network.tsx';
import { useNextStep } from './use-next-step.ts';
import './wifi.css';

/** Operating systems with instructions. The current device's instructions come first. */
const systems = [
  'ios',
  'android',
  'windows',
  'macos',
  'linux',
] as const satisfies readonly DeviceSystem[];

/**
 * Instructions for joining the recorder's network in the system settings. The page redirects once the network is
 * joined.
 */
export default function ManualJoinPage() {
  const { t } = useTranslation();
  const { recorder, system: currentSystem } = useServices();
  const link = useStore(recorder.link);
  const transfer = useNextStep('joining');
  const otherSystems = systems.filter((system) => system !== currentSystem);
  return (
    <Page title={t('wifi.joinTitle')} parent={paths.wifiTransmission} step={link.status}>
      {link.status !== 'hotspot' ? (
        <NoNetwork />
      ) : (
        <>
          <p className="page-lead">{t('wifi.join')}</p>
          <section className="card" data-testid="wifi-join">
            <dl className="wifi-facts">
              <Fact kind="name" text={link.ssid} />
              <Fact kind="password" text={link.password} />
            </dl>
          </section>
          <section className="section">
            <h2 className="section-title">{t(`wifi.steps.${currentSystem}.name`)}</h2>
            <div className="card wifi-steps">
              <Steps system={currentSystem} ssid={link.ssid} />
            </div>
          </section>
          <div className="wifi-waiting" role="status">
            <Wifi className="wifi-waits" size={24} aria-hidden="true" />
            <div>
              <strong>{t('wifi.waiting')}</strong>
              <p>{t('wifi.waitingHint')}</p>
            </div>
          </div>
          <section className="section">
            <h2 className="section-title">{t('wifi.otherSystems')}</h2>
            <div className="card">
              {otherSystems.map((system) => (
                <details key={system} className="wifi-other">
                  <summary className="line">{t(`wifi.steps.${system}.name`)}</summary>
                  <Steps system={system} ssid={link.ssid} />
                </details>
              ))}
            </div>
          </section>
          <Button
            wide
            data-testid="wifi-close"
            onClick={() =>
              void (transfer.status === 'joining'
                ? recorder.transfer.cancel()
                : recorder.leaveHotspot())
            }
          >
            {t('common.cancel')}
          </Button>
        </>
      )}
    </Page>
  );
}

function Fact({ kind, text }: { kind: 'name' | 'password'; text: string }) {
  const { t } = useTranslation();
  const copy = useCopy();
  return (
    <div className="fact">
      <dt>{t(`wifi.${kind}`)}</dt>
      <dd>
        <bdi data-testid={`wifi-${kind}`}>{text}</bdi>
        <IconButton
          label={t(kind === 'name' ? 'wifi.copyName' : 'wifi.copyPassword')}
          onClick={() => void copy(text)}
        >
          <Copy size={18} />
        </IconButton>
      </dd>
    </div>
  );
}

/** The steps for joining a network on one system. */
function Steps({ system, ssid }: { system: DeviceSystem; ssid: string }) {
  const { t } = useTranslation();
  return (
    <ol>
      {(['one', 'two', 'three'] as const).map((step) => (
        <li key={step}>{t(`wifi.steps.${system}.${step}`, { ssid: isolate(ssid) })}</li>
      ))}
    </ol>
  );
}

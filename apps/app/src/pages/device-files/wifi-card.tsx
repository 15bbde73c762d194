import Copy from 'lucide-react/icons/copy';
import Wifi from 'lucide-react/icons/wifi';
import { useState } from 'react';
import { useServices } from '../../app-shell/services-context.ts';
import { inOneLine, recorderWords } from '../../i18n/failures.ts';
import { count, percentage, size } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import type { LinkState, RecorderSessionRow } from '../../services.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy.ts';
import { useToast } from '../../ui/toast.tsx';
import './wifi-card.css';

/** Bytes from which WiFi is worth joining a network for: more than a minute over Bluetooth. */
const WORTH_BYTES = 5e6;
/** Bytes a second that Bluetooth carries in practice, to say how long it would take. */
const BLUETOOTH_RATE = 60_000;

/** A recorder's network serves plain HTTP, which a page that came over HTTPS may not call. */
const mayCall = () => window.location.protocol !== 'https:';

const isOpen = ({ onPhone, stillRecording }: RecorderSessionRow) =>
  !stillRecording && onPhone.status !== 'whole' && onPhone.status !== 'deleted';

function bytesLeft(sessions: readonly RecorderSessionRow[]): number {
  return sessions.filter(isOpen).reduce((sum, { bytes, onPhone }) => {
    const come = onPhone.status === 'moving' ? onPhone.percent / 100 : 0;
    return sum + bytes * (1 - come);
  }, 0);
}

/** The fast way for much of what lies on the recorder: offered, waited for, or under way. */
export function WifiCard({ link }: { link: LinkState }) {
  if (link.status === 'hotspot') return <JoinCard {...link} />;
  if (link.status !== 'connected' || !link.recorder.sessions) return null;
  const { medium, sessions, recording } = link.recorder;
  if (medium === 'wifi') return <OverWifi sessions={sessions} />;
  const left = bytesLeft(sessions);
  const offered = left >= WORTH_BYTES && recording.state === 'idle' && mayCall();
  return offered ? <Offer bytes={left} /> : null;
}

function Offer({ bytes }: { bytes: number }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { recorder } = useServices();
  const show = useToast();
  const [busy, setBusy] = useState(false);
  const minutes = Math.ceil(bytes / BLUETOOTH_RATE / 60);
  const open = async () => {
    setBusy(true);
    const answer = await recorder.openWifi();
    setBusy(false);
    if (answer.ok) return;
    const words = recorderWords(t, answer.failure);
    show({ words: inOneLine(words), kind: 'error', sticky: words.sticky });
  };
  return (
    <section className="card wifi-card" aria-label={t('wifi.title')}>
      <Wifi size={22} aria-hidden="true" />
      <p>
        {t('wifi.offer', {
          size: size(bytes, language),
          count: minutes,
          formatted: count(minutes, language),
        })}
      </p>
      <Button busy={busy} data-testid="wifi-open" onClick={() => void open()}>
        {t('wifi.open')}
      </Button>
    </section>
  );
}

function JoinCard({ joining, ssid, password }: Extract<LinkState, { status: 'hotspot' }>) {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const copy = useCopy();
  const rows = [
    ['name', ssid],
    ['password', password],
  ] as const;
  return (
    <section className="card wifi-card" aria-label={t('wifi.title')} data-testid="wifi-join">
      <Wifi className="wifi-waits" size={22} aria-hidden="true" />
      <p role="status">{t(joining === 'asked' ? 'wifi.asked' : 'wifi.join')}</p>
      {joining === 'by_hand' && (
        <dl className="wifi-facts">
          {rows.map(([what, text]) => (
            <div key={what}>
              <dt>{t(`wifi.${what}`)}</dt>
              <dd>
                <bdi data-testid={`wifi-${what}`}>{text}</bdi>
                <IconButton
                  label={`${t('wifi.copy')}: ${t(`wifi.${what}`)}`}
                  onClick={() => void copy(text)}
                >
                  <Copy size={18} />
                </IconButton>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <Button data-testid="wifi-close" onClick={() => void recorder.closeWifi()}>
        {t('common.cancel')}
      </Button>
    </section>
  );
}

function OverWifi({ sessions }: { sessions: readonly RecorderSessionRow[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { recorder } = useServices();
  // What lay there when this began: what has come meanwhile counts as come.
  const [all] = useState(() => bytesLeft(sessions));
  const left = bytesLeft(sessions);
  const come = all > 0 ? Math.min(100, Math.round(((all - left) / all) * 100)) : 100;
  return (
    <section className="card wifi-card" aria-label={t('wifi.title')} data-testid="wifi-under-way">
      <Wifi size={22} aria-hidden="true" />
      <p>{t('wifi.underWay', { size: size(left, language) })}</p>
      <progress max={100} value={come} aria-label={t('wifi.title')}>
        {percentage(come, language)}
      </progress>
      <Button data-testid="wifi-close" onClick={() => void recorder.closeWifi()}>
        {t('wifi.close')}
      </Button>
    </section>
  );
}

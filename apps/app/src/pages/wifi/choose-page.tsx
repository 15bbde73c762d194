import Bluetooth from 'lucide-react/icons/bluetooth';
import Wifi from 'lucide-react/icons/wifi';
import { useEffect, useState } from 'react';
import { recorderWords } from '../../i18n/failures.ts';
import { clock, count, roughDuration, size } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { GoLink, useGo } from '../../page-kit/navigation.tsx';
import { Page, Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useTrySave } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { ConnectedRecorder, RecorderFailure } from '../../ports/recorder.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Notice, Waiting } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';
import { joinPath } from './join-path.ts';
import { useSessionName } from './session-name.ts';
import { mayCallRecorder, secondsFor, waitingSessions } from './sessions.ts';
import './wifi.css';

/** The recordings waiting on the recorder; chooses which to transfer, and over which transport. */
export default function ChoosePage() {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const link = useStore(recorder.link);
  const transfer = useStore(recorder.transfer.state);
  const connected = link.status === 'connected';
  const isUnderWay = transfer.status === 'moving' || transfer.status === 'joining';

  useEffect(() => {
    if (connected) void recorder.listSessions();
  }, [connected, recorder]);

  return (
    <Page title={t('wifi.title')} parent={paths.myDevice} step={link.status}>
      {isUnderWay || link.status === 'hotspot' ? (
        <div className="card">
          <NavRow
            to={link.status === 'hotspot' ? joinPath(link.joining) : paths.newTransmission}
            icon={Wifi}
            label={t(link.status === 'hotspot' ? 'wifi.joinTitle' : 'wifi.underWay')}
            testId="to-transfer"
          />
        </div>
      ) : !connected ? (
        <Empty
          title={t('sessions.notConnected')}
          drawing={<RecorderDrawing face="off" />}
          action={
            <GoLink to={paths.deviceConnect} className="button" data-look="primary">
              {link.status === 'none'
                ? t('files.connect')
                : t('connect.reconnect', { name: link.name })}
            </GoLink>
          }
        >
          {t('sessions.notConnectedHint')}
        </Empty>
      ) : link.recorder.sessions ? (
        <Choice device={link.recorder} sessions={link.recorder.sessions} />
      ) : (
        <Waiting lines={4} />
      )}
    </Page>
  );
}

function Choice({
  device,
  sessions,
}: {
  device: ConnectedRecorder;
  sessions: NonNullable<ConnectedRecorder['sessions']>;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const go = useGo();
  const { recorder } = useServices();
  const sessionName = useSessionName();
  const trySave = useTrySave();
  // Deselected recordings; ones listed later are selected.
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [busy, setBusy] = useState<'wifi' | 'bluetooth' | null>(null);
  const [failure, setFailure] = useState<RecorderFailure | null>(null);

  const waiting = waitingSessions(sessions).toSorted((a, b) =>
    b.startedAt.localeCompare(a.startedAt),
  );
  if (waiting.length === 0) {
    return (
      <Empty
        title={t('wifi.nothing')}
        drawing={<RecorderDrawing face="bound" />}
        action={
          <GoLink to={paths.files} className="button" data-look="primary">
            {t('connect.toFiles')}
          </GoLink>
        }
      >
        {t('wifi.nothingHint')}
      </Empty>
    );
  }
  const chosen = waiting.filter(({ sessionId }) => !left.has(sessionId));
  const bytes = chosen.reduce((sum, session) => sum + session.bytes, 0);
  const isRecording = device.recording.state === 'recording';
  const ways = [
    ['wifi', Wifi, isRecording || !mayCallRecorder()],
    ['bluetooth', Bluetooth, false],
  ] as const;
  const words = failure && recorderWords(t, failure);

  const start = async (way: 'wifi' | 'bluetooth') => {
    setBusy(way);
    setFailure(null);
    try {
      const ids = chosen.map(({ recordId }) => recordId);
      const answer = await recorder.transfer.start(ids, way);
      if (!answer.ok) setFailure(answer.failure);
      else void go(way === 'wifi' ? paths.wifiJoin : paths.newTransmission);
    } finally {
      setBusy(null);
    }
  };
  return (
    <>
      <p className="page-lead">{t('wifi.lead')}</p>
      {words && (
        <Notice what={words.what} means={words.todo} code={words.code}>
          <p>{t('wifi.usb')}</p>
        </Notice>
      )}
      {isRecording && (
        <Notice tone="plain" what={t('wifi.recording')} means={t('wifi.recordingHint')} />
      )}
      {!mayCallRecorder() && (
        <Notice tone="plain" what={t('wifi.secure')} means={t('wifi.secureHint')} />
      )}
      <section className="section">
        <div className="wifi-head">
          <h2 className="section-title" data-testid="wifi-chosen">
            {t('wifi.chosen', {
              count: chosen.length,
              formatted: count(chosen.length, language),
              size: size(bytes, language),
            })}
          </h2>
          <Button
            look="quiet"
            onClick={() =>
              setLeft(
                left.size === 0 ? new Set(waiting.map(({ sessionId }) => sessionId)) : new Set(),
              )
            }
          >
            {t(left.size === 0 ? 'wifi.chooseNone' : 'wifi.chooseAll')}
          </Button>
        </div>
        <ul className="card">
          {waiting.map((session) => (
            <li
              key={session.sessionId}
              data-testid="wifi-waiting"
              data-session-id={session.sessionId}
            >
              <label className="line wifi-row">
                <input
                  type="checkbox"
                  checked={!left.has(session.sessionId)}
                  onChange={(event) => {
                    const next = new Set(left);
                    if (event.currentTarget.checked) next.delete(session.sessionId);
                    else next.add(session.sessionId);
                    setLeft(next);
                  }}
                />
                <span className="line-words">
                  <span dir="auto">{sessionName(session)}</span>
                  <bdi className="tabular">{clock(session.durationMs / 1000, language)}</bdi>
                </span>
                <span className="line-end tabular">
                  <bdi>{size(session.bytes, language)}</bdi>
                </span>
              </label>
            </li>
          ))}
        </ul>
      </section>
      <Section>
        {ways.map(([way, Icon]) => (
          <p className="line" key={way} data-testid={`takes-${way}`}>
            <Icon size={20} aria-hidden="true" />
            <span className="line-words">{t(`wifi.over.${way}`)}</span>
            <span className="line-end tabular">
              {t('wifi.about', { time: roughDuration(secondsFor(bytes, way), language) })}
            </span>
          </p>
        ))}
      </Section>
      <div className="wifi-actions">
        {ways.map(([way, , isShut]) => (
          <Button
            key={way}
            look={way === 'wifi' ? 'primary' : 'plain'}
            wide
            busy={busy === way}
            disabled={isShut || chosen.length === 0 || (busy !== null && busy !== way)}
            data-testid={`start-${way}`}
            onClick={() => void trySave(start(way))}
          >
            {t(`wifi.start.${way}`)}
          </Button>
        ))}
      </div>
    </>
  );
}

import { wholeSeconds } from '@linnet/contract/durations';
import Bluetooth from 'lucide-react/icons/bluetooth';
import Wifi from 'lucide-react/icons/wifi';
import { useEffect, useState } from 'react';
import { describeRecorderFailure } from '../../i18n/failures.ts';
import {
  formatClock,
  formatCount,
  formatDurationInSentence,
  formatSize,
} from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { PageLink, useNavigateTo } from '../../page-kit/navigation.tsx';
import { NotConnected } from '../../page-kit/not-connected.tsx';
import { Page, Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useAttemptSave } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { ConnectedRecorder, RecorderFailure } from '../../ports/recorder.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';
import { joinPath } from './join-path.ts';
import { useSessionName } from './session-name.ts';
import { canReachRecorder, estimateSeconds, newestFirst, waitingSessions } from './sessions.ts';
import './wifi.css';

/** Selects pending sessions and how to transfer them. */
export default function ChoosePage() {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const link = useStore(recorder.link);
  const transfer = useStore(recorder.transfer.state);
  const isConnected = link.status === 'connected';
  const isInProgress = transfer.status === 'transferring' || transfer.status === 'joining';

  useEffect(() => {
    if (isConnected) void recorder.listSessions();
  }, [isConnected, recorder]);

  return (
    <Page title={t('wifi.title')} parent={paths.myDevice} step={link.status}>
      {isInProgress || link.status === 'hotspot' ? (
        <div className="card">
          <NavRow
            to={link.status === 'hotspot' ? joinPath(link.joining) : paths.newTransmission}
            icon={Wifi}
            label={t(link.status === 'hotspot' ? 'wifi.joinTitle' : 'wifi.underWay')}
            testId="to-transfer"
          />
        </div>
      ) : !isConnected ? (
        <NotConnected link={link} title={t('sessions.notConnected')}>
          {t('sessions.notConnectedHint')}
        </NotConnected>
      ) : link.recorder.sessions ? (
        <TransferOptions device={link.recorder} sessions={link.recorder.sessions} />
      ) : (
        <LoadingPlaceholder lines={4} />
      )}
    </Page>
  );
}

function TransferOptions({
  device,
  sessions,
}: {
  device: ConnectedRecorder;
  sessions: NonNullable<ConnectedRecorder['sessions']>;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigateTo = useNavigateTo();
  const { recorder } = useServices();
  const sessionName = useSessionName();
  const trySave = useAttemptSave();
  // Store the deselected sessions rather than the selected ones, so sessions listed later are selected by default.
  const [excluded, setDeselected] = useState<ReadonlySet<number>>(new Set());
  const [startingTransport, setStartingTransport] = useState<'wifi' | 'bluetooth' | null>(null);
  const [failure, setFailure] = useState<RecorderFailure | null>(null);

  const waitingList = newestFirst(waitingSessions(sessions));
  if (waitingList.length === 0) {
    return (
      <EmptyState
        title={t('wifi.nothing')}
        drawing={<RecorderDrawing face="bound" />}
        action={
          <PageLink to={paths.files} className="button" data-look="primary">
            {t('connect.toFiles')}
          </PageLink>
        }
      >
        {t('wifi.nothingHint')}
      </EmptyState>
    );
  }
  const selectedSessions = waitingList.filter(({ sessionId }) => !excluded.has(sessionId));
  const bytes = selectedSessions.reduce((sum, session) => sum + session.bytes, 0);
  const isRecording = device.recording.state === 'recording';
  const { hasWifi } = device.capabilities;
  const wifi = ['wifi', Wifi, isRecording || !canReachRecorder()] as const;
  const bluetooth = ['bluetooth', Bluetooth, false] as const;
  const transports = hasWifi ? [wifi, bluetooth] : [bluetooth];
  const failureText = failure && describeRecorderFailure(t, failure);

  const start = async (transport: 'wifi' | 'bluetooth') => {
    setStartingTransport(transport);
    setFailure(null);
    try {
      const ids = selectedSessions.map(({ recordId }) => recordId);
      const result = await recorder.transfer.start(ids, transport);
      if (!result.ok) setFailure(result.failure);
      else void navigateTo(transport === 'wifi' ? paths.wifiJoin : paths.newTransmission);
    } finally {
      setStartingTransport(null);
    }
  };
  return (
    <>
      <p className="page-lead">{t('wifi.lead')}</p>
      {failureText && (
        <Notice message={failureText.message} detail={failureText.advice} code={failureText.code}>
          <p>{t('wifi.usb')}</p>
        </Notice>
      )}
      {hasWifi && isRecording && (
        <Notice tone="plain" message={t('wifi.recording')} detail={t('wifi.recordingHint')} />
      )}
      {hasWifi && !canReachRecorder() && (
        <Notice tone="plain" message={t('wifi.secure')} detail={t('wifi.secureHint')} />
      )}
      <section className="section">
        <div className="wifi-head">
          <h2 className="section-title" data-testid="wifi-chosen">
            {t('wifi.chosen', {
              count: selectedSessions.length,
              formatted: formatCount(selectedSessions.length, language),
              size: formatSize(bytes, language),
            })}
          </h2>
          <Button
            variant="quiet"
            onClick={() =>
              setDeselected(
                excluded.size === 0
                  ? new Set(waitingList.map(({ sessionId }) => sessionId))
                  : new Set(),
              )
            }
          >
            {t(excluded.size === 0 ? 'wifi.chooseNone' : 'wifi.chooseAll')}
          </Button>
        </div>
        <ul className="card">
          {waitingList.map((session) => (
            <li
              key={session.sessionId}
              data-testid="wifi-waiting"
              data-session-id={session.sessionId}
            >
              <label className="line wifi-row">
                <input
                  type="checkbox"
                  checked={!excluded.has(session.sessionId)}
                  onChange={(event) => {
                    const next = new Set(excluded);
                    if (event.currentTarget.checked) next.delete(session.sessionId);
                    else next.add(session.sessionId);
                    setDeselected(next);
                  }}
                />
                <span className="line-words">
                  <span dir="auto">{sessionName(session)}</span>
                  <bdi className="tabular">
                    {formatClock(wholeSeconds(session.durationMs / 1000), language)}
                  </bdi>
                </span>
                <span className="line-end tabular">
                  <bdi>{formatSize(session.bytes, language)}</bdi>
                </span>
              </label>
            </li>
          ))}
        </ul>
      </section>
      <Section>
        {transports.map(([transport, Icon]) => (
          <p className="line" key={transport} data-testid={`takes-${transport}`}>
            <Icon size={20} aria-hidden="true" />
            <span className="line-words">{t(`wifi.over.${transport}`)}</span>
            <span className="line-end tabular">
              {t('wifi.about', {
                time: formatDurationInSentence(estimateSeconds(bytes, transport), language),
              })}
            </span>
          </p>
        ))}
      </Section>
      <div className="wifi-actions">
        {transports.map(([transport, , isShut]) => (
          <Button
            key={transport}
            variant={transport === 'wifi' ? 'primary' : 'plain'}
            wide
            busy={startingTransport === transport}
            disabled={
              isShut ||
              selectedSessions.length === 0 ||
              (startingTransport !== null && startingTransport !== transport)
            }
            data-testid={`start-${transport}`}
            onClick={() => void trySave(start(transport))}
          >
            {t(`wifi.start.${transport}`)}
          </Button>
        ))}
      </div>
    </>
  );
}

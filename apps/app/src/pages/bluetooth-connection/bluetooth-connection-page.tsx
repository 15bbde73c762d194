import type { CloseReason } from '@linnet/device/transport';
import Copy from 'lucide-react/icons/copy';
import Unplug from 'lucide-react/icons/unplug';
import { useState } from 'react';
import { disconnectedReason } from '../../i18n/disconnected-reason.ts';
import { describeRecorderFailure, formatFailure } from '../../i18n/failures.ts';
import { formatCount, formatShortDate, isolate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { Page, Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { LinkState, RecorderFailure } from '../../ports/recorder.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';
import { useToast } from '../../ui/toast.tsx';
import { RemedyButton } from '../device-connect/remedy-button.tsx';
import { signalStrength } from '../device-connect/signal.ts';
import { UnbindLine } from '../my-device/unbind-line.tsx';
import { LinkPicture } from './link-picture.tsx';
import './bluetooth-connection.css';
import { joinPath } from '../wifi/join-path.ts';

type BoundLink = Exclude<LinkState, { status: 'none' }>;

/** The first protocol version that encrypts the link. */
const FIRST_ENCRYPTED_VERSION = 2;

/** Shows the connection to the recorder: transport, duration, and the last failure with its remedies. */
export default function BluetoothConnectionPage() {
  const { t } = useTranslation();
  const link = useStore(useServices().recorder.link);
  return (
    <Page title={t('connection.title')} parent={paths.myDevice} step={link.status}>
      {link.status === 'none' ? (
        <>
          <EmptyState
            title={t('connection.none')}
            drawing={<RecorderDrawing face="off" />}
            action={
              <PageLink to={paths.deviceConnect} className="button" data-look="primary">
                {t('files.connect')}
              </PageLink>
            }
          >
            {t('files.emptyUnbound')}
          </EmptyState>
          <AdapterNotices />
        </>
      ) : (
        <ConnectionCard link={link} />
      )}
    </Page>
  );
}

function ConnectionCard({ link }: { link: BoundLink }) {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const [failure, setFailure] = useState<RecorderFailure | null>(null);
  const reason = disconnectedReason(link);
  const failureText =
    failure && link.status !== 'connected' ? describeRecorderFailure(t, failure) : null;
  const reconnect = async () => {
    setFailure(null);
    const result = await recorder.reconnect(link.sn);
    if (!result.ok) setFailure(result.failure);
  };
  return (
    <>
      <section className="card connection-head" data-testid="connection" data-status={link.status}>
        <LinkPicture link={link} />
        <h2 className="display" dir="auto">
          {link.name}
        </h2>
        <p role="status" data-testid="connection-state">
          {link.status === 'connected'
            ? t(`myDevice.over.${link.recorder.medium}`)
            : t(`connection.state.${link.status}`)}
        </p>
        {reason && (
          <p className="connection-why" data-testid="link-why">
            {t(`connect.lost.${reason}`)}
          </p>
        )}
        {link.status === 'hotspot' ? (
          <PageLink to={joinPath(link.joining)} className="button" data-look="primary">
            {t('connect.toNetwork')}
          </PageLink>
        ) : link.status === 'connected' ? (
          <>
            <Button
              icon={<Unplug size={18} aria-hidden="true" />}
              data-testid="disconnect"
              onClick={() => void recorder.disconnect()}
            >
              {t('connection.disconnect')}
            </Button>
            <p className="small-print">{t('connection.disconnectHint')}</p>
          </>
        ) : reason === 'unbound' ? (
          <PageLink
            to={`${paths.deviceConnect}?again=${encodeURIComponent(link.sn)}`}
            className="button"
            data-look="primary"
            data-testid="bind-again"
          >
            {t('connect.bindAgain')}
          </PageLink>
        ) : (
          <Button
            variant="primary"
            busy={link.status === 'connecting'}
            data-testid="reconnect"
            onClick={() => void reconnect()}
          >
            {t('connect.reconnect', { name: link.name })}
          </Button>
        )}
      </section>
      {failureText && (
        <Notice message={failureText.message} detail={failureText.advice} code={failureText.code} />
      )}
      <AdapterNotices />
      <ConnectionFacts link={link} />
      {link.status === 'connected' ? <UnbindLine link={link} /> : <ForgetLine link={link} />}
    </>
  );
}

/** Explains why this device's Bluetooth adapter can't connect, with remedies. */
function AdapterNotices() {
  const { t } = useTranslation();
  const bluetooth = useStore(useServices().recorder.transports).find(
    ({ kind }) => kind !== 'websocket',
  );
  const [failure, setFailure] = useState<RecorderFailure | null>(null);
  if (bluetooth?.availability.status !== 'unavailable') return null;
  const { code } = bluetooth.availability;
  const reasonText = describeRecorderFailure(t, { kind: 'device', code });
  const failureText = failure && describeRecorderFailure(t, failure);
  return (
    <>
      <Section title={t('connection.bluetooth')}>
        <div className="line" data-testid="adapter" data-code={code}>
          <span className="line-words">
            <span>{reasonText.message}</span>
            <span>{reasonText.advice}</span>
          </span>
          <RemedyButton transport={bluetooth} onResult={setFailure} />
        </div>
      </Section>
      {failureText && (
        <Notice message={failureText.message} detail={failureText.advice} code={failureText.code} />
      )}
    </>
  );
}

/**
 * Lists when the connection started and was last lost, its signal, encryption and protocol, and the recorder's serial
 * number.
 */
function ConnectionFacts({ link }: { link: BoundLink }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const copy = useCopy();
  const { recorder } = useServices();
  const { since, lastLoss, signal } = useStore(recorder.history);
  const info = link.status === 'connected' ? link.recorder.info : null;
  const formatTime = (time: number) => formatShortDate(new Date(time).toISOString(), language);
  const isEncrypted = info !== null && info.protocolVersion >= FIRST_ENCRYPTED_VERSION;
  const rows: readonly (readonly [id: string, name: string, fact: string, more?: string])[] = [
    ...(since === null ? [] : [['since', t('connection.since'), formatTime(since)] as const]),
    [
      'last-loss',
      t('connection.lastLoss'),
      lastLoss ? formatTime(lastLoss.at) : t('connection.noLoss'),
      lastLoss ? t(`connection.reason.${lastLoss.reason satisfies CloseReason}`) : '',
    ],
    ...(info
      ? ([
          [
            'signal',
            t('connection.signal'),
            signal === null
              ? t('connection.signalUnknown')
              : t('connection.signalOf', {
                  near: t(`connect.signal.${signalStrength(signal)}`),
                  value: isolate(formatCount(signal, language)),
                }),
          ],
          [
            'sealing',
            t('connection.sealing'),
            t(isEncrypted ? 'connection.sealed' : 'connection.unsealed'),
          ],
          [
            'protocol',
            t('connection.protocol'),
            t('connection.version', { version: formatCount(info.protocolVersion, language) }),
          ],
          [
            'payload',
            t('connection.payload'),
            t('connection.bytes', {
              count: info.payloadSize,
              formatted: formatCount(info.payloadSize, language),
            }),
          ],
          ['address', t('myDevice.address'), info.mac],
        ] as const)
      : []),
  ];
  return (
    <Section title={t('connection.how')}>
      <dl>
        <div className="fact">
          <dt>{t('myDevice.serial')}</dt>
          <dd>
            <bdi data-testid="serial">{link.sn}</bdi>
            <IconButton label={t('myDevice.copySerial')} onClick={() => void copy(link.sn)}>
              <Copy size={18} />
            </IconButton>
          </dd>
        </div>
        {rows.map(([id, name, fact, more]) => (
          <div className="fact" key={id}>
            <dt>{name}</dt>
            <dd>
              <bdi data-testid={`fact-${id}`}>{fact}</bdi>
            </dd>
            {more && <dd className="fact-more">{more}</dd>}
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** Removes a recorder that isn't connected from the account. A connected one is unbound instead (`UnbindLine`). */
function ForgetLine({ link }: { link: BoundLink }) {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const show = useToast();
  const [isConfirming, setConfirming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const forget = async () => {
    setBusy(true);
    const result = await recorder.forget(link.sn);
    setBusy(false);
    setConfirming(false);
    if (result.ok) return;
    const failureText = describeRecorderFailure(t, result.failure);
    show({ message: formatFailure(failureText), kind: 'error', sticky: failureText.sticky });
  };
  return (
    <div className="card">
      <button
        type="button"
        className="line"
        data-testid="forget"
        onClick={() => setConfirming(true)}
      >
        <Unplug size={20} aria-hidden="true" />
        <span className="line-words">
          <span>{t('connect.forget', { name: link.name })}</span>
          <span>{t('connection.forgetHint')}</span>
        </span>
      </button>
      {isConfirming && (
        <Confirm
          title={t('connect.forgetTitle', { name: link.name })}
          confirmLabel={t('connect.forget', { name: link.name })}
          danger
          busy={isBusy}
          onCancel={() => setConfirming(false)}
          onConfirm={() => void forget()}
        >
          {t('connect.forgetText')}
        </Confirm>
      )}
    </div>
  );
}

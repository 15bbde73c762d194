import Bluetooth from 'lucide-react/icons/bluetooth';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Cpu from 'lucide-react/icons/cpu';
import FolderInput from 'lucide-react/icons/folder-input';
import Link from 'lucide-react/icons/link';
import Mic from 'lucide-react/icons/mic';
import { useState } from 'react';
import { describeRecorderFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { PageLink, useNavigateTo } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { useThisDeviceName } from '../../page-kit/this-device.ts';
import type { RecorderFailure, RecorderTransport } from '../../ports/recorder.ts';
import { Notice } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';
import { RemedyButton } from './remedy-button.tsx';

const transportLabels = {
  'web-bluetooth': {
    icon: <Bluetooth size={22} aria-hidden="true" />,
    name: 'connect.bluetooth',
    hint: 'connect.bluetoothHint',
  },
  'capacitor-ble': {
    icon: <Bluetooth size={22} aria-hidden="true" />,
    name: 'connect.bluetooth',
    hint: 'connect.bluetoothNear',
  },
  websocket: {
    icon: <Cpu size={22} aria-hidden="true" />,
    name: 'connect.virtual',
    hint: 'connect.virtualHint',
  },
} as const;

/** Returns the translation key of the reason. Phones and browsers without Bluetooth need different messages. */
function unavailableReasonKey(kind: RecorderTransport['kind'], code: Unavailable['code']) {
  return kind === 'capacitor-ble' && code === 'unsupported' ? 'no_bluetooth' : code;
}
type Unavailable = Extract<RecorderTransport['availability'], { status: 'unavailable' }>;

function ConnectionRow({
  transport,
  onChoose,
  onRemedied,
}: {
  transport: RecorderTransport;
  onChoose(): void;
  onRemedied(failure: RecorderFailure | null): void;
}) {
  const { t } = useTranslation();
  const { icon, name, hint } = transportLabels[transport.kind];
  const testId = `way-${transport.kind}`;
  if (transport.availability.status === 'unavailable') {
    return (
      <div className="line connection-row" data-unavailable="true" data-testid={testId}>
        {icon}
        <span className="line-words">
          <span>{t(name)}</span>
          <span>
            {t(
              `connect.unavailable.${unavailableReasonKey(transport.kind, transport.availability.code)}`,
            )}
          </span>
        </span>
        <RemedyButton transport={transport} onResult={onRemedied} />
      </div>
    );
  }
  return (
    <button type="button" className="line connection-row" data-testid={testId} onClick={onChoose}>
      {icon}
      <span className="line-words">
        <span>{t(name)}</span>
        <span>{t(hint)}</span>
      </span>
      <ChevronRight className="turns" size={20} aria-hidden="true" />
    </button>
  );
}

/** Records with this device's microphone, which needs no connection. */
function ThisDeviceRow() {
  const { t } = useTranslation();
  const { recorders } = useServices();
  const name = useThisDeviceName();
  const navigateTo = useNavigateTo();
  return (
    <button
      type="button"
      className="line connection-row"
      data-testid="way-this-device"
      onClick={() => {
        recorders.choose('this-device');
        void navigateTo(paths.files);
      }}
    >
      <Mic size={22} aria-hidden="true" />
      <span className="line-words">
        <span>{name}</span>
        <span>{t('connect.deviceHint')}</span>
      </span>
      <ChevronRight className="turns" size={20} aria-hidden="true" />
    </button>
  );
}

/** Imports from a USB recorder, a memory card or any other folder. */
function FolderRow() {
  const { t } = useTranslation();
  return (
    <PageLink to={paths.folders} className="line connection-row" data-testid="way-folder">
      <FolderInput size={22} aria-hidden="true" />
      <span className="line-words">
        <span>{t('folders.way')}</span>
        <span>{t('folders.wayHint')}</span>
      </span>
      <ChevronRight className="turns" size={20} aria-hidden="true" />
    </PageLink>
  );
}

/** Opens the form for the address of a software recorder. */
function AddressRow({ onChoose }: { onChoose(): void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="line connection-row"
      data-testid="way-address"
      onClick={onChoose}
    >
      <Link size={22} aria-hidden="true" />
      <span className="line-words">
        <span>{t('connect.address')}</span>
        <span>{t('connect.addressHint')}</span>
      </span>
      <ChevronRight className="turns" size={20} aria-hidden="true" />
    </button>
  );
}

/** Lists all transports. For unavailable transports, shows the reason. */
export function TransportList({
  failure,
  onChoose,
  onAddress,
}: {
  failure: RecorderFailure | null;
  onChoose(kind: RecorderTransport['kind']): void;
  onAddress(): void;
}) {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const transports = useStore(recorder.transports);
  const [refused, setRefused] = useState<RecorderFailure | null>(null);
  const shownFailure = refused ?? failure;
  const text = shownFailure && describeRecorderFailure(t, shownFailure);
  return (
    <>
      <div className="connect-hero">
        <RecorderDrawing face="idle" />
        <p>{t('connect.lead')}</p>
      </div>
      {text && <Notice message={text.message} detail={text.advice} code={text.code} />}
      <section className="card" aria-label={t('connect.ways')}>
        {transports.map((transport) => (
          <ConnectionRow
            key={transport.kind}
            transport={transport}
            onChoose={() => onChoose(transport.kind)}
            onRemedied={setRefused}
          />
        ))}
        <ThisDeviceRow />
        <FolderRow />
        {transports.some(({ kind }) => kind === 'websocket') && <AddressRow onChoose={onAddress} />}
      </section>
    </>
  );
}

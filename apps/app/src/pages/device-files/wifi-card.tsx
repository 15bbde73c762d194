import Wifi from 'lucide-react/icons/wifi';
import { formatSize } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { LinkState } from '../../ports/recorder.ts';
import { joinPath } from '../wifi/join-path.ts';
import { bytesLeft, canReachRecorder } from '../wifi/sessions.ts';

/** Minimum amount of audio, in bytes, for offering Wi-Fi. This much would take more than a minute over Bluetooth. */
const MIN_WIFI_BYTES = 5e6;

/** Offers a Wi-Fi transfer for large amounts of audio, or links to the transfer in progress. */
export function WifiCard({ link }: { link: LinkState }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const transfer = useStore(useServices().recorder.transfer.state);
  const remaining =
    link.status === 'connected' && link.recorder.sessions ? bytesLeft(link.recorder.sessions) : 0;
  const isOffered =
    link.status === 'connected' &&
    link.recorder.capabilities.hasWifi &&
    link.recorder.recording.state === 'idle' &&
    remaining >= MIN_WIFI_BYTES &&
    canReachRecorder();
  const offer =
    link.status === 'hotspot'
      ? ({ to: joinPath(link.joining), label: t('wifi.joinTitle') } as const)
      : transfer.status === 'transferring'
        ? ({ to: paths.newTransmission, label: t('wifi.underWay') } as const)
        : isOffered
          ? ({
              to: paths.wifiTransmission,
              label: t('wifi.title'),
              hint: t('wifi.offer', { size: formatSize(remaining, language) }),
            } as const)
          : null;
  return (
    offer && (
      <div className="card">
        <NavRow {...offer} icon={Wifi} testId="to-wifi" />
      </div>
    )
  );
}

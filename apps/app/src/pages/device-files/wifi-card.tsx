import Wifi from 'lucide-react/icons/wifi';
import { size } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { LinkState } from '../../ports/recorder.ts';
import { joinPath } from '../wifi/join-path.ts';
import { bytesLeft, mayCallRecorder } from '../wifi/sessions.ts';

/** Size in bytes from which Wi-Fi is worth joining a network: over a minute by Bluetooth. */
const WORTH_BYTES = 5e6;

/** Offers a Wi-Fi transfer when many recordings are waiting, or shows the current one. */
export function WifiCard({ link }: { link: LinkState }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const transfer = useStore(useServices().recorder.transfer.state);
  const left =
    link.status === 'connected' && link.recorder.sessions ? bytesLeft(link.recorder.sessions) : 0;
  const isOffered =
    link.status === 'connected' &&
    link.recorder.recording.state === 'idle' &&
    left >= WORTH_BYTES &&
    mayCallRecorder();
  const way =
    link.status === 'hotspot'
      ? ({ to: joinPath(link.joining), label: t('wifi.joinTitle') } as const)
      : transfer.status === 'moving'
        ? ({ to: paths.newTransmission, label: t('wifi.underWay') } as const)
        : isOffered
          ? ({
              to: paths.wifiTransmission,
              label: t('wifi.title'),
              hint: t('wifi.offer', { size: size(left, language) }),
            } as const)
          : null;
  return (
    way && (
      <div className="card">
        <NavRow {...way} icon={Wifi} testId="to-wifi" />
      </div>
    )
  );
}

import Bluetooth from 'lucide-react/icons/bluetooth';
import Network from 'lucide-react/icons/network';
import Wifi from 'lucide-react/icons/wifi';
import { useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { paths } from '../../page-kit/paths.ts';
import type { LinkState } from '../../ports/recorder.ts';

const mediumIcons = { bluetooth: Bluetooth, network: Network, wifi: Wifi } as const;

/** Shows the connection's state and links to its details. */
export function ConnectionLine({ link }: { link: Exclude<LinkState, { status: 'none' }> }) {
  const { t } = useTranslation();
  const hint =
    link.status === 'connected'
      ? t(`myDevice.over.${link.recorder.medium}`)
      : t(`connection.state.${link.status}`);
  return (
    <div className="card">
      <NavRow
        to={paths.bluetoothConnection}
        icon={link.status === 'connected' ? mediumIcons[link.recorder.medium] : Bluetooth}
        label={t('connection.title')}
        hint={hint}
        testId="to-connection"
      />
    </div>
  );
}

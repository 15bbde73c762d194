import CloudOff from 'lucide-react/icons/cloud-off';
import HardDrive from 'lucide-react/icons/hard-drive';
import { useTranslation } from '../i18n/index.ts';
import { useHasNetwork } from '../page-kit/media.ts';
import { useServices, useStore } from '../page-kit/services-context.ts';
import { Button } from '../ui/button.tsx';

/** Shows notices that apply to every screen: full storage, no connection, an available update. */
export function ShellNotices() {
  return (
    <>
      <StorageFullNotice />
      <OfflineNotice />
      <UpdateNotice />
    </>
  );
}

/** Warns that the phone's storage is full. */
function StorageFullNotice() {
  const { t } = useTranslation();
  if (useStore(useServices().diskSpace) === 'enough') return null;
  return (
    <p className="shell-note shell-note-trouble" role="alert" data-testid="no-room-note">
      <HardDrive size={16} aria-hidden="true" />
      {t('noRoom')}
    </p>
  );
}

/** Offers a restart when a new version is ready and restarting wouldn't interrupt anything. */
function UpdateNotice() {
  const { t } = useTranslation();
  const { update } = useServices();
  if (useStore(update.state) === 'none') return null;
  return (
    <p className="shell-note" role="status" data-testid="update-note">
      {t('update.ready')}
      <Button variant="quiet" onClick={() => update.restart()}>
        {t('update.restart')}
      </Button>
    </p>
  );
}

/** Warns that the network or the server is unreachable. */
function OfflineNotice() {
  const { t } = useTranslation();
  const server = useStore(useServices().server);
  const hasNetwork = useHasNetwork();
  if (hasNetwork && server.status !== 'unreachable') return null;
  return (
    <p className="shell-note" role="status" data-testid="offline-note">
      <CloudOff size={16} aria-hidden="true" />
      {t(hasNetwork ? 'offline.server' : 'offline.phone')}
    </p>
  );
}

import CloudOff from 'lucide-react/icons/cloud-off';
import HardDrive from 'lucide-react/icons/hard-drive';
import { useTranslation } from '../i18n/index.ts';
import { useHasNetwork } from '../page-kit/media.ts';
import { useServices, useStore } from '../page-kit/services-context.ts';
import { Button } from '../ui/button.tsx';

/** What holds everything up, on every screen: a phone without room, or nobody to send to. */
export function Notes() {
  return (
    <>
      <NoRoomNote />
      <OfflineNote />
      <UpdateNote />
    </>
  );
}

/** What to do while the phone cannot keep anything new. */
function NoRoomNote() {
  const { t } = useTranslation();
  if (useStore(useServices().room) === 'enough') return null;
  return (
    <p className="shell-note shell-note-trouble" role="alert" data-testid="no-room-note">
      <HardDrive size={16} aria-hidden="true" />
      {t('noRoom')}
    </p>
  );
}

/** A new version waits, and nothing is under way that it would interrupt. */
function UpdateNote() {
  const { t } = useTranslation();
  const { update } = useServices();
  if (useStore(update.state) === 'none') return null;
  return (
    <p className="shell-note" role="status" data-testid="update-note">
      {t('update.ready')}
      <Button look="quiet" onClick={() => update.restart()}>
        {t('update.restart')}
      </Button>
    </p>
  );
}

/** A quiet line while phone or server is out of reach. */
function OfflineNote() {
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

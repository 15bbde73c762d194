import CloudOff from 'lucide-react/icons/cloud-off';
import { useTranslation } from '../i18n/index.ts';
import { useHasNetwork } from './media.ts';
import { useServices, useStore } from './services-context.ts';

/** A quiet line while phone or server is out of reach. */
export function OfflineNote() {
  const { t } = useTranslation();
  const server = useStore(useServices().server);
  const hasNetwork = useHasNetwork();
  if (hasNetwork && server.status !== 'unreachable') return null;
  return (
    <p className="offline-note" role="status" data-testid="offline-note">
      <CloudOff size={16} aria-hidden="true" />
      {t(hasNetwork ? 'offline.server' : 'offline.phone')}
    </p>
  );
}

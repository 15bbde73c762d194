import type { CallFailure } from '@linnet/contract/client';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServerData } from '../../page-kit/server-data.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ConnectSheet } from './connect-sheet.tsx';
import { DeviceFolder } from './device-card.tsx';
import { VaultCard } from './vault-card.tsx';
import './vault.css';

/** Lists the connected vaults: folders with one Markdown file per recording. */
export default function VaultPage() {
  const { t } = useTranslation();
  const { vaults, deviceVault } = useServices();
  const device = useStore(deviceVault.vault);
  const show = useToast();
  const { data, reload } = useServerData(vaults.list);
  const [isConnecting, setConnecting] = useState(false);
  const list = data.status === 'ready' ? data.value : [];
  const webdav = list.find(({ kind }) => kind === 'webdav');
  // Show the connect button again if the stored credentials no longer work.
  const needsConnection =
    data.status === 'ready' &&
    (webdav === undefined || webdav.failure === 'unauthorized' || webdav.failure === 'secret');

  return (
    <Page title={t('vault.title')} parent={paths.personalInformation}>
      <p className="vault-lead">{t('vault.lead')}</p>
      {data.status === 'waiting' && <LoadingPlaceholder lines={4} />}
      {data.status === 'failed' && <LoadFailure failure={data.failure} onRetry={reload} />}
      {data.status === 'ready' && list.length === 0 && !device && (
        <EmptyState title={t('vault.empty')} />
      )}
      {list.map((vault) => (
        <VaultCard key={vault.kind} vault={vault} onChange={reload} />
      ))}
      {needsConnection && (
        <Button
          variant="primary"
          wide
          icon={<Plus size={18} />}
          data-testid="connect-vault"
          onClick={() => setConnecting(true)}
        >
          {t('vault.connect')}
        </Button>
      )}
      <DeviceFolder />
      {isConnecting && (
        <ConnectSheet
          onConnected={() => {
            setConnecting(false);
            show({ message: t('vault.connected') });
            void reload();
          }}
          onClose={() => setConnecting(false)}
        />
      )}
    </Page>
  );
}

function LoadFailure({ failure, onRetry }: { failure: CallFailure; onRetry(): Promise<void> }) {
  const { t } = useTranslation();
  return (
    <Notice
      message={t('vault.failed')}
      detail={describeFailure(t, failure).message}
      action={<Button onClick={() => void onRetry()}>{t('common.retry')}</Button>}
    />
  );
}

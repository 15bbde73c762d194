import type { ApiKey, CallData } from '@linnet/contract';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { formatDay, isolate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServerData } from '../../page-kit/server-data.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState, LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { CreateKeySheet } from './create-key-sheet.tsx';
import { NewKeySheet } from './new-key-sheet.tsx';
import './api-keys.css';

/** The sheet or dialog above the page. */
type Overlay =
  | { readonly kind: 'create' }
  | { readonly kind: 'created'; readonly key: CallData<'user/createKey'> }
  | { readonly kind: 'revoke'; readonly key: ApiKey; readonly isBusy: boolean };

/** Lists the account's API keys, and creates and revokes them. */
export default function ApiKeysPage() {
  const { t } = useTranslation();
  const { apiKeys, address } = useServices();
  const show = useToast();
  const { data, reload } = useServerData(apiKeys.list);
  const [overlay, setOverlay] = useState<Overlay | null>(null);

  const revoke = async (key: ApiKey) => {
    setOverlay({ kind: 'revoke', key, isBusy: true });
    const result = await apiKeys.revoke(key.id);
    if (result.ok) show({ message: t('keys.revoked', { name: isolate(key.name) }) });
    else show({ message: describeFailure(t, result.failure).message, kind: 'error' });
    await reload();
    setOverlay(null);
  };

  return (
    <Page title={t('keys.title')} parent={paths.personalInformation}>
      <div className="section">
        <p className="keys-lead">{t('keys.lead')}</p>
        <Button
          variant="primary"
          icon={<Plus size={18} />}
          data-testid="create-key"
          onClick={() => setOverlay({ kind: 'create' })}
        >
          {t('keys.create')}
        </Button>
        <a
          className="button"
          data-look="plain"
          href={`${address.current}/api/docs`}
          target="_blank"
          rel="noreferrer"
        >
          {t('keys.docs')}
        </a>
      </div>
      {data.status === 'waiting' && <LoadingPlaceholder lines={3} />}
      {data.status === 'failed' && (
        <Notice
          message={t('keys.failed')}
          detail={describeFailure(t, data.failure).message}
          action={<Button onClick={() => void reload()}>{t('common.retry')}</Button>}
        />
      )}
      {data.status === 'ready' && data.value.length === 0 && <EmptyState title={t('keys.empty')} />}
      {data.status === 'ready' && data.value.length > 0 && (
        <ul className="card" aria-label={t('keys.title')}>
          {data.value.map((key) => (
            <li className="line key-line" key={key.id} data-testid="api-key">
              <KeyText apiKey={key} />
              <IconButton
                label={t('keys.revoke', { name: isolate(key.name) })}
                data-testid="revoke-key"
                onClick={() => setOverlay({ kind: 'revoke', key, isBusy: false })}
              >
                <Trash2 size={18} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {overlay?.kind === 'create' && (
        <CreateKeySheet
          onCreated={(key) => {
            setOverlay({ kind: 'created', key });
            void reload();
          }}
          onClose={() => setOverlay(null)}
        />
      )}
      {overlay?.kind === 'created' && (
        <NewKeySheet apiKey={overlay.key.key} onClose={() => setOverlay(null)} />
      )}
      {overlay?.kind === 'revoke' && (
        <Confirm
          title={t('keys.revokeTitle', { name: isolate(overlay.key.name) })}
          confirmLabel={t('keys.revokeButton')}
          danger
          busy={overlay.isBusy}
          onCancel={() => setOverlay(null)}
          onConfirm={() => void revoke(overlay.key)}
        >
          {t('keys.revokeText')}
        </Confirm>
      )}
    </Page>
  );
}

/** A key's name, scopes, last use and expiry. */
function KeyText({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { name, scopes, last_used_at: usedAt, expires_at: expiresAt } = apiKey;
  const access = scopes.includes('read')
    ? t(scopes.includes('write') ? 'keys.access.all' : 'keys.access.read')
    : t('keys.access.write');
  const dates = [
    usedAt === null ? t('keys.unused') : t('keys.used', { date: formatDay(usedAt, language) }),
    ...(expiresAt === null ? [] : [t('keys.expires', { date: formatDay(expiresAt, language) })]),
  ];
  return (
    <span className="line-words">
      <bdi>{name}</bdi>
      <span>
        {access}
        <br />
        {dates.join(' · ')}
      </span>
    </span>
  );
}

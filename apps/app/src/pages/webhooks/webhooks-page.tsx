import type { Webhook } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths, webhookPath } from '../../page-kit/paths.ts';
import { useServerData } from '../../page-kit/server-data.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { CreateWebhookSheet } from './create-webhook-sheet.tsx';
import { SecretSheet } from './secret-sheet.tsx';
import './webhooks.css';

/** The sheet above the page. */
type Overlay = { readonly kind: 'create' } | { readonly kind: 'created'; readonly secret: string };

/** Lists the account's webhooks, and adds new ones. */
export default function WebhooksPage() {
  const { t } = useTranslation();
  const { webhooks, address } = useServices();
  const { data, reload } = useServerData(webhooks.list);
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const isFull = data.status === 'ready' && data.value.length >= limits.webhooks.count;

  return (
    <Page title={t('webhooks.title')} parent={paths.personalInformation}>
      <div className="section">
        <p className="webhooks-lead">{t('webhooks.lead')}</p>
        <Button
          variant="primary"
          icon={<Plus size={18} />}
          disabled={isFull}
          data-testid="add-webhook"
          onClick={() => setOverlay({ kind: 'create' })}
        >
          {t('webhooks.add')}
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
          message={t('webhooks.failed')}
          detail={describeFailure(t, data.failure).message}
          action={<Button onClick={() => void reload()}>{t('common.retry')}</Button>}
        />
      )}
      {data.status === 'ready' && data.value.length === 0 && (
        <EmptyState title={t('webhooks.empty')} />
      )}
      {data.status === 'ready' && data.value.length > 0 && (
        <div className="card">
          {data.value.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </div>
      )}
      {overlay?.kind === 'create' && (
        <CreateWebhookSheet
          onCreated={(secret) => {
            setOverlay({ kind: 'created', secret });
            void reload();
          }}
          onClose={() => setOverlay(null)}
        />
      )}
      {overlay?.kind === 'created' && (
        <SecretSheet secret={overlay.secret} onClose={() => setOverlay(null)} />
      )}
    </Page>
  );
}

/** A link to a webhook, with its host and state. */
function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const { host, pathname } = new URL(webhook.url);
  const failing = webhook.failing_since === null ? 'active' : 'failing';
  const state = webhook.disabled_at === null ? failing : 'disabled';
  return (
    <NavRow
      to={webhookPath(webhook.id)}
      label={
        <bdi className="webhook-url" dir="ltr">
          {host}
          {pathname === '/' ? '' : pathname}
        </bdi>
      }
      hint={t(`webhooks.state.${state}`)}
      testId="webhook"
    />
  );
}

import type { Webhook } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { describeFailure } from '../../i18n/failures.ts';
import { formatDay, formatList } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Page, Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServerData } from '../../page-kit/server-data.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { Outcome } from '../../ports/store.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { eventKeys } from './event-names.ts';
import { SecretSheet } from './secret-sheet.tsx';
import './webhooks.css';

/** The sheet or dialog above the page. */
type Overlay =
  | { readonly kind: 'rotate' | 'remove' }
  | { readonly kind: 'rotated'; readonly secret: string };

/** Shows a webhook and its deliveries. */
export default function WebhookPage() {
  const { t } = useTranslation();
  const [parameters] = useSearchParams();
  const { webhooks } = useServices();
  const { data, reload } = useServerData(webhooks.list);
  const id = parameters.get('id');
  const webhook = data.status === 'ready' && data.value.find((each) => each.id === id);
  return (
    <Page title={t('webhooks.one')} parent={paths.webhooks}>
      {data.status === 'waiting' && <LoadingPlaceholder lines={4} />}
      {data.status === 'failed' && (
        <Notice
          message={t('webhooks.failed')}
          detail={describeFailure(t, data.failure).message}
          action={<Button onClick={() => void reload()}>{t('common.retry')}</Button>}
        />
      )}
      {data.status === 'ready' && !webhook && (
        <Notice tone="plain" message={t('server.notFound')} />
      )}
      {webhook && <WebhookDetails webhook={webhook} onChange={reload} />}
    </Page>
  );
}

function WebhookDetails({ webhook, onChange }: { webhook: Webhook; onChange(): Promise<void> }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { webhooks } = useServices();
  const show = useToast();
  const navigate = useNavigate();
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** Incremented after each change, which reloads the deliveries. */
  const [changes, setChanges] = useState(0);
  const { id, url, events, disabled_reason: disabledReason, failing_since: failingSince } = webhook;
  const isDisabled = webhook.disabled_at !== null;

  /** Makes a call and returns its data. On failure, shows the failure and returns null. */
  async function run<Data>(call: () => Promise<Outcome<Data, CallFailure>>) {
    setBusy(true);
    const result = await call();
    setBusy(false);
    if (result.ok) return result;
    show({ message: describeFailure(t, result.failure).message, kind: 'error' });
    return null;
  }
  const enable = async () => {
    if (!(await run(() => webhooks.enable(id)))) return;
    show({ message: t('webhooks.enabled') });
    await onChange();
  };
  const test = async () => {
    if (!(await run(() => webhooks.test(id)))) return;
    show({ message: t('webhooks.tested') });
    setChanges((count) => count + 1);
  };
  const rotate = async () => {
    const result = await run(() => webhooks.rotateSecret(id));
    setOverlay(result && { kind: 'rotated', secret: result.data });
  };
  const remove = async () => {
    const result = await run(() => webhooks.remove(id));
    setOverlay(null);
    if (!result) return;
    show({ message: t('webhooks.removed') });
    void navigate(paths.webhooks, { replace: true });
  };

  return (
    <>
      {isDisabled && disabledReason !== null && (
        <Notice
          message={t(`webhooks.ended.${disabledReason}`)}
          action={
            <Button busy={isBusy} data-testid="enable-webhook" onClick={() => void enable()}>
              {t('webhooks.enable')}
            </Button>
          }
        />
      )}
      {!isDisabled && failingSince !== null && (
        <Notice message={t('webhooks.failing', { date: formatDay(failingSince, language) })} />
      )}
      <Section>
        <div className="line">
          <span className="line-words">
            <span>{t('webhooks.url')}</span>
            <bdi className="webhook-url" dir="ltr">
              {url}
            </bdi>
          </span>
        </div>
        <div className="line">
          <span className="line-words">
            <span>{t('webhooks.events')}</span>
            <span>
              {formatList(
                events.map((event) => t(eventKeys[event])),
                language,
              )}
            </span>
          </span>
        </div>
      </Section>
      <div className="webhook-actions">
        {!isDisabled && (
          <Button
            variant="primary"
            wide
            busy={isBusy}
            data-testid="test-webhook"
            onClick={() => void test()}
          >
            {t('webhooks.test')}
          </Button>
        )}
        <Button wide data-testid="rotate-webhook" onClick={() => setOverlay({ kind: 'rotate' })}>
          {t('webhooks.rotate')}
        </Button>
        <Button wide data-testid="remove-webhook" onClick={() => setOverlay({ kind: 'remove' })}>
          {t('webhooks.remove')}
        </Button>
      </div>
      <DeliveryList key={changes} webhookId={id} canResend={!isDisabled} />
      {overlay?.kind === 'rotated' && (
        <SecretSheet secret={overlay.secret} onClose={() => setOverlay(null)} />
      )}
      {overlay?.kind === 'rotate' && (
        <Confirm
          title={t('webhooks.rotateTitle')}
          confirmLabel={t('webhooks.rotate')}
          busy={isBusy}
          onCancel={() => setOverlay(null)}
          onConfirm={() => void rotate()}
        >
          {t('webhooks.rotateText')}
        </Confirm>
      )}
      {overlay?.kind === 'remove' && (
        <Confirm
          title={t('webhooks.removeTitle')}
          confirmLabel={t('webhooks.remove')}
          danger
          busy={isBusy}
          onCancel={() => setOverlay(null)}
          onConfirm={() => void remove()}
        >
          {t('webhooks.removeText')}
        </Confirm>
      )}
    </>
  );
}

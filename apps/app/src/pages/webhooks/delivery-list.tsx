import type { WebhookDelivery } from '@linnet/contract';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { useCallback } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { formatCount, formatEntryDate, formatMilliseconds } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { PagedList } from '../../page-kit/paged-list.tsx';
import { useServices } from '../../page-kit/services-context.ts';
import { usePages } from '../../page-kit/use-pages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast.tsx';
import { eventKeys } from './event-names.ts';

/** Lists a webhook's deliveries, with Resend buttons. */
export function DeliveryList({ webhookId, canResend }: { webhookId: string; canResend: boolean }) {
  const { t } = useTranslation();
  const { webhooks } = useServices();
  const show = useToast();
  const pages = usePages(
    useCallback((page: number) => webhooks.deliveries(webhookId, page), [webhooks, webhookId]),
  );
  const { paged, reload } = pages;
  const resend = async (id: string) => {
    const result = await webhooks.resend(id);
    if (result.ok) show({ message: t('webhooks.resent') });
    else show({ message: describeFailure(t, result.failure).message, kind: 'error' });
    reload();
  };

  return (
    <section className="section">
      <h2 className="section-title">{t('webhooks.deliveries')}</h2>
      <PagedList
        pages={pages}
        empty={<p className="webhooks-lead">{t('webhooks.noDeliveries')}</p>}
      >
        {(list) => (
          <ul className="card" aria-label={t('webhooks.deliveries')}>
            {list.map((delivery) => (
              <li
                className="line delivery-line"
                key={delivery.id}
                data-testid="delivery"
                data-status={delivery.status}
              >
                <DeliveryText delivery={delivery} />
                {canResend && (
                  <IconButton
                    label={t('webhooks.resend')}
                    data-testid="resend"
                    onClick={() => void resend(delivery.id)}
                  >
                    <RotateCw size={18} />
                  </IconButton>
                )}
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      {paged.status === 'ready' && (
        <Button icon={<RefreshCw size={18} />} data-testid="refresh-deliveries" onClick={reload}>
          {t('library.refresh')}
        </Button>
      )}
    </section>
  );
}

/** A delivery's event, recording, state and latest attempt. */
function DeliveryText({ delivery }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const {
    type,
    title,
    timestamp,
    status,
    attempts,
    failure,
    response_status: httpStatus,
  } = delivery;
  const { next_attempt_at: next, attempted_at: attempted, duration_ms: ms } = delivery;
  const isRetried = status === 'waiting' && attempts > 0;
  return (
    <span className="line-words">
      <span>
        {t(eventKeys[type])}
        {title !== null && title !== '' && (
          <>
            {' · '}
            <bdi>{title}</bdi>
          </>
        )}
      </span>
      <span data-status={status}>
        {t(`webhooks.status.${isRetried ? 'retrying' : status}`)}
        {failure !== null && ` · ${t(`webhooks.failure.${failure}`)}`}
      </span>
      <span className="tabular">
        <time dateTime={attempted ?? timestamp}>
          {formatEntryDate(attempted ?? timestamp, language)}
        </time>
        {httpStatus !== null && (
          <>
            {' · '}
            <bdi dir="ltr">{`HTTP ${httpStatus}`}</bdi>
          </>
        )}
        {ms !== null && ` · ${formatMilliseconds(ms, language)}`}
        {attempts > 1 && (
          <>
            {' · '}
            <span className="delivery-attempts">
              {t('webhooks.attempts', { number: formatCount(attempts, language) })}
            </span>
          </>
        )}
      </span>
      {next !== null && isRetried && (
        <span>{t('webhooks.next', { date: formatEntryDate(next, language) })}</span>
      )}
    </span>
  );
}

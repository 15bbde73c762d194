import type { Order } from '@linnet/contract';
import { useCallback } from 'react';
import { formatEntryDate, formatPrice } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { planName } from '../../i18n/plan-name.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { Page } from '../../page-kit/page.tsx';
import { PagedList } from '../../page-kit/paged-list.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { usePages } from '../../page-kit/use-pages.ts';
import { EmptyState } from '../../ui/notice.tsx';
import './membership.css';

function OrderRow({ order }: { order: Order }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const date = order.paid_at ?? order.created_at;
  return (
    <li data-testid="order" data-status={order.status}>
      <strong>{planName(order.plan, t, language)}</strong>
      <span className="tabular">{formatPrice(order.price, order.currency, language)}</span>
      <time dateTime={date} className="tabular">
        {formatEntryDate(date, language)}
      </time>
      <span data-status={order.status}>{t(`orders.status.${order.status}`)}</span>
    </li>
  );
}

/** Lists all orders, including unfinished ones. */
export default function PurchaseRecordPage() {
  const { t } = useTranslation();
  const { membership } = useServices();
  const orders = usePages(useCallback((page: number) => membership.orders(page), [membership]));
  return (
    <Page title={t('orders.title')} parent={paths.me}>
      <PagedList
        pages={orders}
        empty={
          <EmptyState
            title={t('orders.empty')}
            action={
              <PageLink to={paths.vip} className="button" data-look="plain">
                {t('me.seeMembership')}
              </PageLink>
            }
          >
            {t('orders.emptyHint')}
          </EmptyState>
        }
      >
        {(list) => (
          <ul className="card ledger">
            {list.map((order) => (
              <OrderRow key={order.id} order={order} />
            ))}
          </ul>
        )}
      </PagedList>
    </Page>
  );
}

import type { Order } from '@linnet/contract';
import { useCallback, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { describeFailure } from '../../i18n/failures.ts';
import { formatDay, formatPrice } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { planName } from '../../i18n/plan-name.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServerData } from '../../page-kit/server-data.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState, LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { MinutesBalance } from './minutes-card.tsx';
import { useCheckout } from './use-checkout.ts';
import { useOrder } from './use-order.ts';
import './membership.css';

const isMembership = ({ plan }: Order) => plan === 'vip_monthly' || plan === 'vip_annual';

/** Shows the plan ordered and its price. */
function Receipt({ order, until }: { order: Order; until?: string | null }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <dl className="card">
      <div>
        <dt>{t('pay.bought')}</dt>
        <dd data-testid="bought">{planName(order.plan, t, language)}</dd>
      </div>
      <div>
        <dt>{t('pay.amount')}</dt>
        <dd className="tabular" data-testid="amount">
          {formatPrice(order.price, order.currency, language)}
        </dd>
      </div>
      {until && (
        <div>
          <dt>{t('pay.until')}</dt>
          <dd data-testid="vip-until">{formatDay(until, language)}</dd>
        </div>
      )}
    </dl>
  );
}

/** Shown after a successful payment, with the new state and links to continue. */
function PaymentSucceeded({ order }: { order: Order }) {
  const { t } = useTranslation();
  const { account, membership } = useServices();
  const accountMembership = useStore(account.membership);
  const { data: balance, reload: reloadBalance } = useServerData(
    useCallback(() => membership.balance(), [membership]),
  );
  return (
    <>
      <EmptyState title={t('pay.paid')} />
      <Receipt
        order={order}
        until={isMembership(order) ? (accountMembership?.expiresAt ?? null) : null}
      />
      <MinutesBalance balance={balance} onRetry={reloadBalance} />
      <div className="receipt-actions">
        <PageLink to={paths.files} className="button" data-look="primary" data-wide>
          {t('bin.toFiles')}
        </PageLink>
        <PageLink to={paths.vip} replace className="button" data-look="plain" data-wide>
          {t('me.seeMembership')}
        </PageLink>
      </div>
    </>
  );
}

const unpaidKeys = {
  failed: ['pay.failed', 'pay.failedHint'],
  canceled: ['pay.canceled', 'pay.notCharged'],
  expired: ['pay.expired', 'pay.notCharged'],
  refunded: ['pay.refunded', 'pay.refundedHint'],
  pending: ['pay.unsettled', 'pay.unsettledHint'],
} as const;

/**
 * Retries a payment with a new order. To prevent double payments, the confirmation says what happens to the open order:
 * the server cancels an open membership order, while other orders stay open.
 */
function RetryPayment({
  order,
  busy,
  onConfirm: onGo,
}: {
  order: Order;
  busy: boolean;
  onConfirm(): void;
}) {
  const { t } = useTranslation();
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <Button wide data-testid="new-payment" onClick={() => setConfirming(true)}>
        {t('pay.newPayment')}
      </Button>
      {isConfirming && (
        <Confirm
          title={t('pay.newPaymentTitle')}
          confirmLabel={t('vip.checkout')}
          busy={busy}
          onConfirm={onGo}
          onCancel={() => setConfirming(false)}
        >
          {t(isMembership(order) ? 'pay.newPaymentMembership' : 'pay.newPaymentPackage')}
        </Confirm>
      )}
    </>
  );
}

/** Shown after a failed payment, with the reason and a way to retry. */
function PaymentFailed({ order, onCheck }: { order: Order; onCheck(): void }) {
  const { t } = useTranslation();
  const { buy, openingPlan } = useCheckout();
  if (order.status === 'paid') return null;
  const [title, hint] = unpaidKeys[order.status];
  const pay = () => void buy(order.plan);
  return (
    <>
      <EmptyState title={t(title)}>{t(hint)}</EmptyState>
      <Receipt order={order} />
      <div className="receipt-actions">
        {order.status === 'pending' ? (
          <>
            <Button variant="primary" wide onClick={onCheck}>
              {t('pay.ask')}
            </Button>
            <RetryPayment order={order} busy={openingPlan !== null} onConfirm={pay} />
          </>
        ) : (
          order.status !== 'refunded' && (
            <Button
              variant="primary"
              wide
              busy={openingPlan !== null}
              data-testid="pay-again"
              onClick={pay}
            >
              {t('common.retry')}
            </Button>
          )
        )}
        <PageLink to={paths.vip} replace className="button" data-look="plain" data-wide>
          {t('me.seeMembership')}
        </PageLink>
      </div>
    </>
  );
}

function Outcome({ id }: { id: string }) {
  const { t } = useTranslation();
  const { state, reload } = useOrder(id);
  switch (state.status) {
    case 'reading':
      return <LoadingPlaceholder lines={3} />;
    case 'none':
      return (
        <EmptyState
          title={t('pay.notFound')}
          action={
            <PageLink to={paths.purchaseRecord} replace className="button" data-look="primary">
              {t('orders.title')}
            </PageLink>
          }
        >
          {t('pay.notFoundHint')}
        </EmptyState>
      );
    case 'failed': {
      const { message, code } = describeFailure(t, state.failure);
      return (
        <Notice
          message={t('pay.unread')}
          detail={t('pay.unreadHint')}
          code={code}
          action={<Button onClick={reload}>{t('common.retry')}</Button>}
        >
          <p>{message}</p>
        </Notice>
      );
    }
    case 'known':
      if (state.order.status === 'paid') return <PaymentSucceeded order={state.order} />;
      if (!state.waiting) return <PaymentFailed order={state.order} onCheck={reload} />;
      return (
        <>
          <EmptyState title={t('pay.waiting')}>{t('pay.waitingHint')}</EmptyState>
          <Receipt order={state.order} />
          <PageLink to={paths.vip} replace className="button" data-look="plain" data-wide>
            {t('me.seeMembership')}
          </PageLink>
        </>
      );
  }
}

/** The page that a checkout returns to. Shows the order's state as reported by the server. */
export default function PayResultPage() {
  const { t } = useTranslation();
  const [parameters] = useSearchParams();
  const id = parameters.get('order');
  if (!id) return <Navigate to={paths.vip} replace />;
  return (
    <Page title={t('pay.title')} parent={paths.vip}>
      <div className="receipt" role="status" data-testid="pay-result">
        <Outcome key={id} id={id} />
      </div>
    </Page>
  );
}

import type { Order } from '@linnet/contract';
import { useCallback, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { describeFailure } from '../../i18n/failures.ts';
import { dayName, price } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { planName } from '../../i18n/plan-name.ts';
import { GoLink } from '../../page-kit/navigation.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Empty, Notice, Waiting } from '../../ui/notice.tsx';
import { Minutes } from './minutes-card.tsx';
import { useAnswer } from './use-answer.ts';
import { useCheckout } from './use-checkout.ts';
import { useOrder } from './use-order.ts';
import './membership.css';

const isMembership = ({ plan }: Order) => plan === 'vip_monthly' || plan === 'vip_annual';

/** The ordered plan and its price. */
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
          {price(order.price, order.currency, language)}
        </dd>
      </div>
      {until && (
        <div>
          <dt>{t('pay.until')}</dt>
          <dd data-testid="vip-until">{dayName(until, language)}</dd>
        </div>
      )}
    </dl>
  );
}

/** After a successful payment: the new state, and links to continue. */
function Paid({ order }: { order: Order }) {
  const { t } = useTranslation();
  const { account, membership } = useServices();
  const owned = useStore(account.membership);
  const { answer: balance, again: askBalance } = useAnswer(
    useCallback(() => membership.balance(), [membership]),
  );
  return (
    <>
      <Empty title={t('pay.paid')} />
      <Receipt order={order} until={isMembership(order) ? (owned?.expiresAt ?? null) : null} />
      <Minutes balance={balance} onAgain={askBalance} />
      <div className="receipt-actions">
        <GoLink to={paths.files} className="button" data-look="primary" data-wide>
          {t('bin.toFiles')}
        </GoLink>
        <GoLink to={paths.vip} replace className="button" data-look="plain" data-wide>
          {t('me.seeMembership')}
        </GoLink>
      </div>
    </>
  );
}

const unpaidWords = {
  failed: ['pay.failed', 'pay.failedHint'],
  canceled: ['pay.canceled', 'pay.notCharged'],
  expired: ['pay.expired', 'pay.notCharged'],
  refunded: ['pay.refunded', 'pay.refundedHint'],
  pending: ['pay.unsettled', 'pay.unsettledHint'],
} as const;

/**
 * Retries the payment of an open order. A user who has already paid would pay twice, so the confirmation says
 * what happens to the open order: the server cancels a membership's, others stay open.
 */
function PayAnew({ order, busy, onGo }: { order: Order; busy: boolean; onGo(): void }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button wide data-testid="pay-anew" onClick={() => setAsking(true)}>
        {t('pay.anew')}
      </Button>
      {asking && (
        <Confirm
          title={t('pay.anewTitle')}
          go={t('vip.checkout')}
          busy={busy}
          onGo={onGo}
          onCancel={() => setAsking(false)}
        >
          {t(isMembership(order) ? 'pay.anewMembership' : 'pay.anewPackage')}
        </Confirm>
      )}
    </>
  );
}

/** After a failed payment: the reason and a retry. */
function Unpaid({ order, onAsk }: { order: Order; onAsk(): void }) {
  const { t } = useTranslation();
  const { buy, going } = useCheckout();
  if (order.status === 'paid') return null;
  const [title, hint] = unpaidWords[order.status];
  const pay = () => void buy(order.plan);
  return (
    <>
      <Empty title={t(title)}>{t(hint)}</Empty>
      <Receipt order={order} />
      <div className="receipt-actions">
        {order.status === 'pending' ? (
          <>
            <Button look="primary" wide onClick={onAsk}>
              {t('pay.ask')}
            </Button>
            <PayAnew order={order} busy={going !== null} onGo={pay} />
          </>
        ) : (
          order.status !== 'refunded' && (
            <Button look="primary" wide busy={going !== null} data-testid="pay-again" onClick={pay}>
              {t('common.retry')}
            </Button>
          )
        )}
        <GoLink to={paths.vip} replace className="button" data-look="plain" data-wide>
          {t('me.seeMembership')}
        </GoLink>
      </div>
    </>
  );
}

function Outcome({ id }: { id: string }) {
  const { t } = useTranslation();
  const { state, again } = useOrder(id);
  switch (state.status) {
    case 'reading':
      return <Waiting lines={3} />;
    case 'none':
      return (
        <Empty
          title={t('pay.notFound')}
          action={
            <GoLink to={paths.purchaseRecord} replace className="button" data-look="primary">
              {t('orders.title')}
            </GoLink>
          }
        >
          {t('pay.notFoundHint')}
        </Empty>
      );
    case 'unread': {
      const { what, code } = describeFailure(t, state.failure);
      return (
        <Notice
          what={t('pay.unread')}
          means={t('pay.unreadHint')}
          code={code}
          action={<Button onClick={again}>{t('common.retry')}</Button>}
        >
          <p>{what}</p>
        </Notice>
      );
    }
    case 'known':
      if (state.order.status === 'paid') return <Paid order={state.order} />;
      if (!state.waiting) return <Unpaid order={state.order} onAsk={again} />;
      return (
        <>
          <Empty title={t('pay.waiting')}>{t('pay.waitingHint')}</Empty>
          <Receipt order={state.order} />
          <GoLink to={paths.vip} replace className="button" data-look="plain" data-wide>
            {t('me.seeMembership')}
          </GoLink>
        </>
      );
  }
}

/** The return page of a checkout. It shows the state of the order as reported by the server. */
export default function PayResultPage() {
  const { t } = useTranslation();
  const [parameters] = useSearchParams();
  const id = parameters.get('order');
  // Without an order in the address there is nothing to show.
  if (!id) return <Navigate to={paths.vip} replace />;
  return (
    <Page title={t('pay.title')} parent={paths.vip}>
      <div className="receipt" role="status" data-testid="pay-result">
        <Outcome key={id} id={id} />
      </div>
    </Page>
  );
}

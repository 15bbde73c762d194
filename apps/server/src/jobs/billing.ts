/** The scheduled job that reconciles orders and subscriptions with the payment service. */
import type { Logger } from 'pino';
import type { Database, Row } from '../db/database.ts';
import { nextRevision } from '../db/database.ts';
import type { Fulfillment } from '../modules/order/fulfillment.ts';
import { planTerms } from '../modules/order/plans.ts';
import { resumeDeferredTime, saveVip } from '../modules/user/vip.ts';
import type { Payment } from '../providers/payment/index.ts';
import type { PaymentProvider } from '../providers/payment/port.ts';
import { PaymentFailure } from '../providers/payment/port.ts';
import type { JobHandler } from './jobs.ts';

export interface BillingDependencies {
  readonly db: Database;
  readonly payment: Payment;
  readonly fulfillment: Fulfillment;
  readonly log: Logger;
  readonly now: () => Date;
}

const minuteMs = 60_000;
/** Minutes until an unpaid order expires, as in Stripe Checkout. */
const orderMinutes = 24 * 60;
/** Minutes to wait for an order's event before querying the payment service. */
const quietMinutes = 10;

/**
 * Creates the "billing" job. It expires unpaid orders, renews subscriptions, and fetches the state of pending orders
 * and subscriptions from the payment service in case an event was lost. The job is idempotent.
 */
export function billingJob(deps: BillingDependencies): JobHandler<'billing'> {
  const { db, payment, fulfillment, log, now } = deps;
  const timeAgo = (minutes: number) => new Date(now().getTime() - minutes * minuteMs);

  return async (_payload, signal) => {
    const failures: unknown[] = [];
    /**
     * Runs an operation and records its failure, so the remaining items are still processed. If the payment service is
     * unavailable, the next run retries. Any other failure makes this run fail at the end.
     */
    const isolate = async (subject: object, operation: () => Promise<void>): Promise<void> => {
      try {
        await operation();
      } catch (error) {
        if (error instanceof PaymentFailure) {
          log.warn({ ...subject, reason: error.message }, 'payment service unavailable');
          return;
        }
        log.error({ ...subject, err: error }, 'billing failed');
        failures.push(error);
      }
    };

    if (payment) {
      for (const order of await pendingOrders(payment.id)) {
        signal.throwIfAborted();
        await isolate({ order: order.id }, () => settleOrder(payment, order));
      }
      for (const subscription of await dueSubscriptions(payment.id)) {
        signal.throwIfAborted();
        await isolate({ subscription: subscription.id }, () => settleDue(payment, subscription));
      }
    }
    for (const { id } of await accountsToResume()) {
      signal.throwIfAborted();
      await isolate({ account: id }, () => resume(id));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'billing failed for some items');
  };

  function pendingOrders(provider: PaymentProvider['id']) {
    return db
      .selectFrom('orders')
      .selectAll()
      .where('status', '=', 'pending')
      .where('provider', '=', provider)
      .where('created_at', '<=', timeAgo(quietMinutes))
      .execute();
  }

  async function settleOrder(provider: PaymentProvider, order: Row<'orders'>): Promise<void> {
    const head = { kind: 'checkout', orderId: order.id } as const;
    const isOverdue = order.created_at <= timeAgo(orderMinutes);
    const { provider_ref: ref } = order;
    if (isOverdue && ref !== null) await provider.closeCheckout(ref);
    const checkout = ref === null ? null : await provider.fetchCheckout(ref);
    const isUnpaid = checkout === null || checkout.state === 'open';
    if (!isUnpaid) await fulfillment.apply(provider.id, [checkout]);
    else if (isOverdue) await fulfillment.apply(provider.id, [{ ...head, state: 'expired' }]);
  }

  /** Returns the subscriptions whose paid period has ended. */
  function dueSubscriptions(provider: PaymentProvider['id']) {
    return db
      .selectFrom('subscriptions')
      .innerJoin('accounts', 'accounts.id', 'subscriptions.account_id')
      .selectAll('subscriptions')
      .select(['vip_started_at', 'vip_expires_at'])
      .where('status', '!=', 'ended')
      .where('provider', '=', provider)
      .where('vip_expires_at', '<=', now())
      .where('closed_at', 'is', null)
      .execute();
  }

  async function settleDue(
    provider: PaymentProvider,
    row: Awaited<ReturnType<typeof dueSubscriptions>>[number],
  ): Promise<void> {
    const plan = planTerms[row.plan];
    if (row.status === 'ended' || plan.kind !== 'membership') return;
    const { price, currency } = await db
      .selectFrom('orders')
      .select(['price', 'currency'])
      .where('account_id', '=', row.account_id)
      .where('plan', '=', row.plan)
      .where('paid_at', 'is not', null)
      .orderBy('paid_at', 'desc')
      .executeTakeFirstOrThrow();
    const updates = await provider.fetchSubscription({
      ref: row.provider_ref,
      status: row.status,
      startedAt: row.vip_started_at ?? row.created_at,
      periodEnd: row.vip_expires_at ?? row.period_end,
      months: plan.months,
      price: { amount: price, currency },
    });
    await fulfillment.apply(provider.id, updates);
  }

  /** Returns the accounts whose deferred trial or granted time resumes because a membership has ended. */
  function accountsToResume() {
    return db
      .selectFrom('accounts')
      .select('id')
      .where('vip_rest_plan', 'is not', null)
      .where('vip_renews', '=', false)
      .where('vip_expires_at', '<=', now())
      .where('closed_at', 'is', null)
      .execute();
  }

  async function resume(accountId: string): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await nextRevision(trx, accountId);
      const account = await trx
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow();
      await saveVip(trx, accountId, resumeDeferredTime(account, now()));
    });
  }
}

import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import type { Queue } from '../../jobs/queue.ts';
import type {
  CheckoutFact,
  PaymentFact,
  PaymentProvider,
  RefundFact,
  RenewalFact,
  SubscriptionFact,
} from '../../providers/payment/port.ts';
import type { Minutes } from '../minutes/service.ts';
import {
  applyPurchase,
  applyRefund,
  applyRenewal,
  resumeDeferredTime,
  saveVip,
} from '../user/vip.ts';
import { planTerms } from './plans.ts';

type Provider = PaymentProvider['id'];
type Order = Row<'orders'>;
type Account = Row<'accounts'>;
type PaidFact = Extract<CheckoutFact, { state: 'paid' }>;

/**
 * Applies payments and refunds to accounts. Everything reported by a payment service, such as a paid checkout or a
 * refund, is a fact that goes through this module. Facts may arrive out of order, repeatedly and concurrently, but each
 * order is fulfilled, each renewal credited and each refund applied exactly once.
 */
export interface Fulfillment {
  /**
   * Applies facts from a payment service in one transaction.
   * @param eventId ID of the event that reported the facts; events that were already processed are skipped
   */
  apply(provider: Provider, facts: readonly PaymentFact[], eventId?: string): Promise<void>;
}

export interface FulfillmentDependencies {
  readonly db: Database;
  readonly queue: Queue;
  readonly minutes: Minutes;
  readonly now: () => Date;
}

export function createFulfillment({
  db,
  queue,
  minutes,
  now,
}: FulfillmentDependencies): Fulfillment {
  return {
    async apply(provider, facts, eventId) {
      await db.transaction().execute(async (trx) => {
        if (eventId !== undefined && !(await recordEvent(trx, provider, eventId))) return;
        for (const fact of facts) await applyFact(trx, provider, fact);
      });
    },
  };

  async function applyFact(trx: Transaction, provider: Provider, fact: PaymentFact): Promise<void> {
    switch (fact.kind) {
      case 'checkout':
        return fact.state === 'paid'
          ? handlePaidCheckout(trx, provider, fact)
          : handleUnpaidCheckout(trx, provider, fact);
      case 'renewal':
        return handleRenewal(trx, provider, fact);
      case 'subscription':
        return handleSubscription(trx, provider, fact);
      case 'refund':
        return handleRefund(trx, provider, fact);
    }
  }

  async function handleUnpaidCheckout(
    trx: Transaction,
    provider: Provider,
    { orderId, state }: Exclude<CheckoutFact, PaidFact>,
  ): Promise<void> {
    if (state === 'open' || state === 'processing' || !isId(orderId)) return;
    await trx
      .updateTable('orders')
      .set({ status: state, closed_at: now() })
      .where('id', '=', orderId)
      .where('provider', '=', provider)
      .where('status', '=', 'pending')
      .execute();
  }

  async function handlePaidCheckout(
    trx: Transaction,
    provider: Provider,
    fact: PaidFact,
  ): Promise<void> {
    if (!isId(fact.orderId)) return;
    await lockPayment(trx, provider, fact.paymentRef);
    const orderOwner = await trx
      .selectFrom('orders')
      .select('account_id')
      .where('id', '=', fact.orderId)
      .where('provider', '=', provider)
      .executeTakeFirst();
    if (!orderOwner) return;
    const account = await lockOpenAccount(trx, orderOwner.account_id);
    const order = await trx
      .updateTable('orders')
      .set({
        status: account ? 'paid' : 'refunded',
        paid_at: fact.paidAt,
        payment_ref: fact.paymentRef,
        closed_at: account ? null : now(),
        // Orders are never deleted, so this reference identifies every subscription sold by this server.
        ...(fact.subscription && { provider_ref: fact.subscription.ref }),
      })
      .where('id', '=', fact.orderId)
      // Fulfill the payment even if the order has expired or was canceled.
      .where('status', 'not in', ['paid', 'refunded'])
      .returningAll()
      .executeTakeFirst();
    if (!order) return;
    if (!account) {
      // The account was closed during the checkout, so refund the payment.
      const subscriptions = fact.subscription ? [fact.subscription.ref] : [];
      await queue.enqueue(trx, 'undo-payments', {
        provider,
        subscriptions,
        payments: [fact.paymentRef],
      });
      return;
    }
    const plan = planTerms[order.plan];
    if (plan.kind === 'package') {
      await minutes.grant(trx, {
        accountId: account.id,
        source: 'package',
        minutes: plan.minutes,
        ref: grantRef(order),
      });
    } else {
      if (!fact.subscription) throw new Error(`order ${order.id} was paid without a subscription`);
      await endOtherSubscription(trx, account.id);
      const vip = {
        ...applyPurchase(account, plan.vipPlan, plan.months, fact.paidAt),
        vip_renews: true,
      };
      await saveVip(trx, account.id, vip);
      const subscription = {
        plan: order.plan,
        status: 'active',
        period_end: fact.subscription.periodEnd ?? vip.vip_expires_at ?? fact.paidAt,
        provider,
        provider_ref: fact.subscription.ref,
        asked_at: fact.paidAt,
        created_at: fact.paidAt,
      } as const;
      await trx
        .insertInto('subscriptions')
        .values({ id: uuidv7(), account_id: account.id, ...subscription })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(subscription))
        .execute();
    }
    await reverseIfRefunded(trx, order);
  }

  /**
   * Ends the account's existing subscription. It only exists if the user paid for two checkouts in two browser windows.
   */
  async function endOtherSubscription(trx: Transaction, accountId: string): Promise<void> {
    const otherSubscription = await trx
      .selectFrom('subscriptions')
      .select(['provider', 'provider_ref'])
      .where('account_id', '=', accountId)
      .where('status', 'in', ['active', 'past_due'])
      .executeTakeFirst();
    if (!otherSubscription) return;
    const { provider, provider_ref: ref } = otherSubscription;
    await queue.enqueue(trx, 'undo-payments', { provider, subscriptions: [ref] });
  }

  async function handleRenewal(trx: Transaction, provider: Provider, fact: RenewalFact) {
    await lockPayment(trx, provider, fact.paymentRef);
    const subscription = await findSubscription(trx, provider, fact.subscriptionRef);
    const account = await lockOpenAccount(trx, subscription?.account_id ?? null);
    if (!subscription || !account) return refundRenewal(trx, provider, fact);
    const plan = planTerms[subscription.plan];
    if (plan.kind !== 'membership') return;
    const order = await recordRenewal(trx, provider, fact, {
      account_id: account.id,
      email: account.email,
      plan: subscription.plan,
      status: 'paid',
      closed_at: null,
    });
    if (!order) return;
    const vip = applyRenewal(account, plan.vipPlan, plan.months, fact.paidAt);
    await saveVip(trx, account.id, vip);
    await trx
      .updateTable('subscriptions')
      .set({ period_end: vip.vip_expires_at ?? fact.paidAt })
      .where('id', '=', subscription.id)
      .execute();
    await reverseIfRefunded(trx, order);
  }

  /** Refunds a renewal that was charged for a replaced membership or a closed account. */
  async function refundRenewal(
    trx: Transaction,
    provider: Provider,
    fact: RenewalFact,
  ): Promise<void> {
    const originalOrder = await trx
      .selectFrom('orders')
      .select(['account_id', 'email', 'plan'])
      .where('provider', '=', provider)
      .where('provider_ref', '=', fact.subscriptionRef)
      .executeTakeFirst();
    // This server didn't sell the subscription. Other shops may share the account at the payment service.
    if (!originalOrder) return;
    const refundedOrder = { ...originalOrder, status: 'refunded', closed_at: now() } as const;
    if (!(await recordRenewal(trx, provider, fact, refundedOrder))) return;
    await queue.enqueue(trx, 'undo-payments', {
      provider,
      subscriptions: [fact.subscriptionRef],
      payments: [fact.paymentRef],
    });
  }

  async function handleSubscription(trx: Transaction, provider: Provider, fact: SubscriptionFact) {
    const subscription = await findSubscription(trx, provider, fact.ref);
    const account = await lockOpenAccount(trx, subscription?.account_id ?? null);
    if (!subscription || !account) return;
    const updated = await trx
      .updateTable('subscriptions')
      .set({
        status: fact.status,
        asked_at: fact.queriedAt,
        // Stripe advances the end of the period before the next period is paid.
        ...(fact.periodEnd && fact.status !== 'past_due' && { period_end: fact.periodEnd }),
      })
      .where('id', '=', subscription.id)
      .where('asked_at', '<=', fact.queriedAt)
      .returning('id')
      .executeTakeFirst();
    if (!updated) return;
    const isRenewing = fact.status === 'active' || fact.status === 'past_due';
    await saveVip(
      trx,
      account.id,
      resumeDeferredTime({ ...account, vip_renews: isRenewing }, now()),
    );
  }

  async function handleRefund(
    trx: Transaction,
    provider: Provider,
    fact: RefundFact,
  ): Promise<void> {
    await lockPayment(trx, provider, fact.paymentRef);
    // The refund may arrive before the payment. The payment's handler then finds this record.
    await recordEvent(trx, provider, refundEvent(fact.paymentRef));
    const order = await trx
      .selectFrom('orders')
      .selectAll()
      .where('provider', '=', provider)
      .where('payment_ref', '=', fact.paymentRef)
      .executeTakeFirst();
    if (order) await reverseOrder(trx, order);
  }

  async function reverseIfRefunded(trx: Transaction, order: Order): Promise<void> {
    const refunded = await trx
      .selectFrom('payment_events')
      .select('event_id')
      .where('provider', '=', order.provider)
      .where('event_id', '=', refundEvent(order.payment_ref ?? ''))
      .executeTakeFirst();
    if (refunded) await reverseOrder(trx, order);
  }

  /** Marks an order as refunded and reverses any effects that it still has. */
  async function reverseOrder(
    trx: Transaction,
    { id, account_id: accountId }: Order,
  ): Promise<void> {
    const account = await lockOpenAccount(trx, accountId);
    const order = await trx
      .updateTable('orders')
      .set({ status: 'refunded', closed_at: now() })
      .where('id', '=', id)
      .where('status', '=', 'paid')
      .returningAll()
      .executeTakeFirst();
    if (!order || !account) return;
    const plan = planTerms[order.plan];
    if (plan.kind === 'package') {
      await minutes.revoke(trx, account.id, grantRef(order));
      return;
    }
    // Ignore the refund of an earlier membership that has already ended.
    const { vip_started_at: vipStart } = account;
    if (!vipStart || !order.paid_at || order.paid_at < vipStart) return;
    const isRenewing =
      account.vip_renews && !(await endSubscription(trx, account.id, order.paid_at));
    const vip = { ...applyRefund(account, plan.months, now()), vip_renews: isRenewing };
    if (vip.vip_expires_at) await minutes.endMonthly(trx, account.id, vip.vip_expires_at);
    await saveVip(trx, account.id, resumeDeferredTime(vip, now()));
  }

  /**
   * Ends a payment's subscription, here and at the payment service. Returns false if the payment has no subscription.
   */
  async function endSubscription(trx: Transaction, accountId: string, paidAt: Date) {
    const endedSubscription = await trx
      .updateTable('subscriptions')
      .set({ status: 'ended', asked_at: now() })
      .where('account_id', '=', accountId)
      .where('status', '!=', 'ended')
      .where('created_at', '<=', paidAt)
      .returning(['provider', 'provider_ref'])
      .executeTakeFirst();
    if (!endedSubscription) return false;
    const { provider, provider_ref: ref } = endedSubscription;
    await queue.enqueue(trx, 'undo-payments', { provider, subscriptions: [ref] });
    return true;
  }
}

/** Returns the ref of the grant for a package's minutes. */
function grantRef({ id }: Order): string {
  return `order:${id}`;
}

/** Records a renewal as an order. Returns undefined if it was already recorded. */
function recordRenewal(
  trx: Transaction,
  provider: Provider,
  fact: RenewalFact,
  values: Pick<Order, 'account_id' | 'email' | 'plan' | 'status' | 'closed_at'>,
): Promise<Order | undefined> {
  return trx
    .insertInto('orders')
    .values({
      ...values,
      id: uuidv7(),
      price: fact.price.amount,
      currency: fact.price.currency,
      provider,
      provider_ref: fact.ref,
      payment_ref: fact.paymentRef,
      return_path: '',
      created_at: fact.paidAt,
      paid_at: fact.paidAt,
    })
    .onConflict((conflict) => conflict.columns(['provider', 'provider_ref']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

function refundEvent(paymentRef: string): string {
  return `refunded ${paymentRef}`;
}

/** Records an event. Returns false if it was already recorded. */
async function recordEvent(trx: Transaction, provider: Provider, event: string): Promise<boolean> {
  const row = await trx
    .insertInto('payment_events')
    .values({ provider, event_id: event })
    .onConflict((conflict) => conflict.columns(['provider', 'event_id']).doNothing())
    .returning('event_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks a payment, because the facts about it and its refund may arrive concurrently. */
async function lockPayment(trx: Transaction, provider: Provider, ref: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${provider} ${ref}`}, 0))`.execute(
    trx,
  );
}

/** Locks an account and returns its row, or null if the account is closed or deleted. */
async function lockOpenAccount(
  trx: Transaction,
  accountId: string | null,
): Promise<Account | null> {
  if (accountId === null) return null;
  await nextRevision(trx, accountId);
  const account = await trx
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return account.closed_at === null ? account : null;
}

function findSubscription(trx: Transaction, provider: Provider, ref: string) {
  return trx
    .selectFrom('subscriptions')
    .selectAll()
    .where('provider', '=', provider)
    .where('provider_ref', '=', ref)
    .executeTakeFirst();
}

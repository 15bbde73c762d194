import type { CallData, CallInput, Order, Subscription } from '@linnet/contract';
import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import type { Database, Row } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { CallError } from '../../http/failure.ts';
import type { Limit, RateLimiter } from '../../http/rate-limit.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Payment } from '../../providers/payment/index.ts';
import { PaymentFailure } from '../../providers/payment/port.ts';
import type { Caller } from '../user/access.ts';
import type { AccountLanguages } from '../user/languages.ts';
import type { Fulfillment } from './fulfillment.ts';
import type { Prices } from './plans.ts';
import { planName, plansFor, planTerms } from './plans.ts';
import { toOrder, toSubscription } from './view.ts';

/** Rate limit for orders, because each order opens a checkout at the payment service. */
const ordersPerAccount: Limit = { name: 'orders', count: 20, seconds: 600 };
/** Rate limit for restores, because each restore queries the payment service for every pending order. */
const restoresPerAccount: Limit = { name: 'restores', count: 20, seconds: 600 };

/** Sells plans, and manages each account's orders and subscription. */
export interface OrderService {
  /** Returns the plans for sale. With BILLING=off, nothing is for sale. */
  plans(): CallData<'user/plans'>;
  /**
   * Creates an order and opens its checkout.
   * @param acceptedLanguage fallback if neither the request nor the account has a language
   * @throws CallError nothingForSale, notFound, alreadySubscribed, paymentFailed, unavailable
   */
  pay(
    caller: Caller,
    body: CallInput<'user/pay'>,
    origin: string,
    acceptedLanguage: InterfaceLanguage,
  ): Promise<CallData<'user/pay'>>;
  /** Lists an account's orders, newest first. */
  list(
    accountId: string,
    page: CallInput<'user/orderRecord'>,
  ): Promise<CallData<'user/orderRecord'>>;
  /**
   * Returns an order.
   * @throws CallError notFound
   */
  find(accountId: string, id: string): Promise<Order>;
  /** Returns an account's subscription, or null if it has none. */
  subscription(account: Row<'accounts'>): Promise<Subscription | null>;
  /**
   * Checks the account's pending orders with the payment service and returns the paid orders. A failed check doesn't
   * affect the others.
   * @throws CallError nothingForSale, tooManyRequests; paymentFailed, unavailable if every check fails
   */
  restore(accountId: string): Promise<CallData<'user/restore'>>;
  /**
   * Turns off automatic renewal of the subscription.
   * @throws CallError nothingToCancel, unavailable
   */
  cancelRenewal(caller: Caller): Promise<Subscription>;
  /**
   * Refunds an order at the operator's request, and reverses its effects.
   * @throws CallError notFound if there is no paid order with this ID; PaymentFailure
   */
  refund(id: string): Promise<void>;
}

export interface OrderServiceDependencies {
  readonly db: Database;
  readonly log: Logger;
  readonly queue: Queue;
  readonly limiter: RateLimiter;
  readonly payment: Payment;
  readonly prices: Prices;
  readonly fulfillment: Fulfillment;
  readonly languages: AccountLanguages;
  readonly now: () => Date;
}

export function createOrderService(deps: OrderServiceDependencies): OrderService {
  const { db, log, queue, limiter, payment, fulfillment, languages, now } = deps;
  const plansForSale = payment ? plansFor(deps.prices) : [];

  const findSubscription = (accountId: string) =>
    db
      .selectFrom('subscriptions')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirst();

  return {
    plans: () => ({ list: plansForSale }),

    async pay({ accountId, account }, body, origin, acceptedLanguage) {
      if (!payment) throw new CallError('nothingForSale');
      const plan = plansForSale.find(({ id }) => id === body.plan);
      if (!plan) throw new CallError('notFound');
      await limiter.take(ordersPerAccount, accountId);
      const order = {
        id: uuidv7(),
        account_id: accountId,
        email: account.email,
        plan: plan.id,
        price: plan.price,
        currency: plan.currency,
        status: 'pending',
        provider: payment.id,
        return_path: body.return_path,
        created_at: now(),
      } as const;
      await db.transaction().execute(async (trx) => {
        await nextRevision(trx, accountId);
        if (body.language) await languages.remember(trx, accountId, body.language);
        if (plan.kind === 'membership') {
          const activeSubscription = await trx
            .selectFrom('subscriptions')
            .select('id')
            .where('account_id', '=', accountId)
            .where('status', 'in', ['active', 'past_due'])
            .executeTakeFirst();
          if (activeSubscription) throw new CallError('alreadySubscribed');
          // Cancel orders with an abandoned checkout, so they can't be paid in addition to this order.
          const abandonedOrders = await trx
            .updateTable('orders')
            .set({ status: 'canceled', closed_at: now() })
            .where('account_id', '=', accountId)
            .where('status', '=', 'pending')
            .where('plan', 'in', ['vip_monthly', 'vip_annual'])
            .where('provider', '=', payment.id)
            .returning('provider_ref')
            .execute();
          const checkouts = abandonedOrders.flatMap(({ provider_ref: ref }) => ref ?? []);
          if (checkouts.length > 0) {
            await queue.enqueue(trx, 'undo-payments', { provider: payment.id, checkouts });
          }
        }
        await trx.insertInto('orders').values(order).execute();
      });
      const { ref, url } = await openCheckout(
        payment,
        order,
        origin,
        body.language ?? (await languages.of(db, accountId)) ?? acceptedLanguage,
      );
      await db
        .updateTable('orders')
        .set({ provider_ref: ref })
        .where('id', '=', order.id)
        .execute();
      return { order_id: order.id, pay_url: url, status: order.status };
    },

    async list(accountId, { limit, page }) {
      const selectOrders = () => db.selectFrom('orders').where('account_id', '=', accountId);
      const { total } = await selectOrders()
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await selectOrders()
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      return { list: rows.map(toOrder), total, page, limit };
    },

    async find(accountId, id) {
      const row = isId(id)
        ? await db
            .selectFrom('orders')
            .selectAll()
            .where('id', '=', id)
            .where('account_id', '=', accountId)
            .executeTakeFirst()
        : undefined;
      if (!row) throw new CallError('notFound');
      return toOrder(row);
    },

    async restore(accountId) {
      if (!payment) throw new CallError('nothingForSale');
      await limiter.take(restoresPerAccount, accountId);
      const pendingOrders = await db
        .selectFrom('orders')
        .select(['id', 'provider_ref'])
        .where('account_id', '=', accountId)
        .where('status', '=', 'pending')
        .where('provider', '=', payment.id)
        .execute();
      let checkedCount = 0;
      const failures: CallError[] = [];
      for (const { provider_ref: ref } of pendingOrders) {
        if (ref === null) continue;
        try {
          const fact = await withCallErrors(() => payment.fetchCheckout(ref));
          checkedCount += 1;
          if (fact) await fulfillment.apply(payment.id, [fact]);
        } catch (error) {
          if (!(error instanceof CallError)) throw error;
          failures.push(error);
        }
      }
      if (checkedCount === 0 && failures[0]) throw failures[0];
      if (pendingOrders.length === 0) return { restored: [] };
      const restored = await db
        .selectFrom('orders')
        .selectAll()
        .where(
          'id',
          'in',
          pendingOrders.map(({ id }) => id),
        )
        .where('status', '=', 'paid')
        .orderBy('created_at', 'desc')
        .execute();
      return { restored: restored.map(toOrder) };
    },

    subscription: async (account) =>
      toSubscription(await findSubscription(account.id), account, now()),

    async cancelRenewal({ accountId }) {
      const subscription = await findSubscription(accountId);
      if (subscription?.status !== 'active' && subscription?.status !== 'past_due') {
        throw new CallError('nothingToCancel');
      }
      const { provider, provider_ref: ref } = subscription;
      if (provider !== payment?.id) throw new CallError('unavailable');
      // End a past-due subscription immediately. Otherwise the payment service would keep retrying the payment.
      const isPastDue = subscription.status === 'past_due';
      await withCallErrors(() =>
        isPastDue ? payment.endSubscription(ref) : payment.cancelRenewal(ref),
      );
      const status = isPastDue ? 'ended' : 'canceled';
      await fulfillment.apply(provider, [{ kind: 'subscription', ref, status, queriedAt: now() }]);
      const account = await db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow();
      const end = account.vip_expires_at ?? now();
      return { plan: subscription.plan, status: 'canceled', period_end: end.toISOString() };
    },

    async refund(id) {
      const order = isId(id)
        ? await db
            .selectFrom('orders')
            .selectAll()
            .where('id', '=', id)
            .where('status', '=', 'paid')
            .executeTakeFirst()
        : undefined;
      if (!order?.payment_ref) throw new CallError('notFound', 'No paid order has this ID.');
      const { provider, payment_ref: paymentRef } = order;
      if (provider !== payment?.id) {
        throw new PaymentFailure(
          'refused',
          `the order was paid through ${provider}, but BILLING is set to a different payment service`,
        );
      }
      await payment.refund(paymentRef);
      await fulfillment.apply(provider, [{ kind: 'refund', paymentRef }]);
    },
  };

  /** Opens an order's checkout at the payment service. If that fails, the order is marked as failed. */
  async function openCheckout(
    provider: NonNullable<Payment>,
    order: Pick<Row<'orders'>, 'id' | 'email' | 'plan' | 'price' | 'currency' | 'return_path'>,
    origin: string,
    language: InterfaceLanguage,
  ) {
    const plan = planTerms[order.plan];
    try {
      return await withCallErrors(() =>
        provider.openCheckout({
          orderId: order.id,
          email: order.email,
          name: planName(order.plan, language),
          language,
          price: { amount: order.price, currency: order.currency },
          months: plan.kind === 'membership' ? plan.months : 0,
          origin,
          returnPath: order.return_path,
        }),
      );
    } catch (error) {
      await fulfillment.apply(provider.id, [
        { kind: 'checkout', orderId: order.id, state: 'failed' },
      ]);
      throw error;
    }
  }

  /** Sends a request to the payment service and converts its failures to API errors. */
  async function withCallErrors<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof PaymentFailure)) throw error;
      log.warn({ reason: error.message }, 'payment service request failed');
      throw new CallError(error.code === 'refused' ? 'paymentFailed' : 'unavailable');
    }
  }
}

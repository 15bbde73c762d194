import { codes } from '@linnet/contract/codes';
import { interfaceLanguages } from '@linnet/contract/interface-languages';
import type { PlanId } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  advanceClockTo,
  createTestFulfillment,
  refundOrder,
  runBilling,
} from '../../../test/orders.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { FakeStripe } from '../../../test/stripe.ts';
import { sendEvent, startStripe, stripeSecrets } from '../../../test/stripe.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { undoPaymentsJob } from '../../jobs/undo-payments.ts';
import { words } from '../../words/index.ts';

let stripe: FakeStripe;
let server: TestServer;
let owner: Account;
let access: string;
beforeAll(async () => {
  stripe = await startStripe();
  server = await startTestServer({
    BILLING: 'stripe',
    TRIAL_DAYS: '0',
    STRIPE_URL: stripe.url,
    ...stripeSecrets,
  });
  stripe.now = () => server.now();
});
afterAll(async () => {
  await server.close();
  await stripe.close();
});
beforeEach(async () => {
  stripe.failWith = null;
  owner = await server.register();
  access = owner.access;
});

const call: TestServer['call'] = (name, body) => server.call(name, body, { token: access });
const info = async () => (await call('user/info')).data;
const minutes = async () => (await call('user/leftMinute')).data;
const orders = async () => (await call('user/orderRecord', { limit: 100 })).data.list;

async function advanceTo(time: Date): Promise<void> {
  await advanceClockTo(server, time);
  access = (await server.call('user/login', owner)).data.access_token;
}
const advanceDays = (days: number) =>
  advanceTo(new Date(server.now().getTime() + days * 86_400_000));

interface Checkout {
  readonly order: string;
  readonly session: string;
}
async function open(plan: PlanId): Promise<Checkout> {
  const { data, msg } = await call('user/pay', { plan });
  if (!data) throw new Error(`the order was rejected: ${msg}`);
  return { order: data.order_id, session: data.pay_url.split('/').at(-1) ?? '' };
}
const sendCompleted = ({ session }: Checkout, options?: Parameters<typeof sendEvent>[3]) =>
  sendEvent(server, 'checkout.session.completed', { id: session }, options);
async function buy(plan: PlanId): Promise<Checkout & { subscription: string; payment: string }> {
  const checkout = await open(plan);
  stripe.pay(checkout.session);
  expect((await sendCompleted(checkout)).statusCode).toBe(200);
  return {
    ...checkout,
    subscription: stripe.sessions.get(checkout.session)?.subscription ?? '',
    payment: stripe.getPayment(checkout.session),
  };
}

it.each(interfaceLanguages)('names the product in $language', async ({ language }) => {
  const { data } = await call('user/pay', { plan: 'package_3000', language });
  const fields = stripe.sessions.get(data.pay_url.split('/').at(-1) ?? '')?.fields;
  const name = fields?.['line_items[0][price_data][product_data][name]'];
  const count = new Intl.NumberFormat(`${language}-u-nu-latn`).format(3000);
  expect(name).toMatch(/Linnet/);
  expect(name).toContain(count);
  // Stripe's checkout isn't available in Arabic.
  const locales = { ar: 'auto', 'zh-Hans': 'zh', pt: 'pt-BR' } as Record<string, string>;
  expect(fields?.locale).toBe(locales[language] ?? language);
  // The account keeps the language of its most recent order.
  expect((await call('user/config')).data.interface).toEqual({ language });
  const { data: annual } = await call('user/pay', { plan: 'vip_annual' });
  const annualFields = stripe.sessions.get(annual.pay_url.split('/').at(-1) ?? '')?.fields;
  expect(annualFields?.['line_items[0][price_data][product_data][name]']).toBe(
    words[language].plans.annual,
  );
});

/** Runs the enqueued "undo-payments" jobs and removes them from the queue. */
async function runUndoJobs(): Promise<void> {
  const job = undoPaymentsJob(server.payment);
  const { rows } = await sql<{ data: Jobs['undo-payments'] }>`
    delete from pgboss.job where name = 'undo-payments' returning data`.execute(server.db);
  for (const { data } of rows) {
    await job(data, new AbortController().signal);
  }
}

describe('an order paid through Stripe', () => {
  it('opens a checkout and is pending', async () => {
    const { order, session } = await open('package_600');
    expect(stripe.sessions.get(session)?.fields.client_reference_id).toBe(order);
    expect(await orders()).toMatchObject([{ id: order, status: 'pending', paid_at: null }]);
  });

  it('is fulfilled once, even if its event is received several times', async () => {
    const checkout = await open('package_600');
    stripe.pay(checkout.session);
    const id = `evt_${crypto.randomUUID()}`;
    const responses = await Promise.all(
      Array.from({ length: 5 }, (_, n) => sendCompleted(checkout, n < 3 ? { id } : {})),
    );
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(200));
    expect(await minutes()).toMatchObject({ package_minutes: 600, left_minutes: 630 });
    expect(await orders()).toMatchObject([{ status: 'paid' }]);
  });

  it('is found by user/restore if its event was lost', async () => {
    const paid = await open('package_600');
    const unpaid = await open('package_120');
    stripe.pay(paid.session);
    expect(await orders()).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
    const { data } = await call('user/restore');
    expect(data.restored).toMatchObject([{ id: paid.order, plan: 'package_600', status: 'paid' }]);
    expect((await minutes()).package_minutes).toBe(600);
    expect((await call('user/restore')).data.restored).toEqual([]);
    await sendCompleted(paid);
    expect((await minutes()).package_minutes).toBe(600);
    expect(await orders()).toMatchObject([{ id: unpaid.order, status: 'pending' }, {}]);
    stripe.failWith = 503;
    expect(await call('user/restore')).toMatchObject({ code: codes.unavailable, data: null });
  });

  it('is found by user/restore even if the checkout of another order is unknown', async () => {
    const forgotten = await open('package_120');
    stripe.deleteSession(forgotten.session);
    expect(await call('user/restore')).toMatchObject({ code: codes.paymentFailed, data: null });
    const paid = await open('package_600');
    stripe.pay(paid.session);
    const { data } = await call('user/restore');
    expect(data.restored).toMatchObject([{ id: paid.order, status: 'paid' }]);
    expect((await minutes()).package_minutes).toBe(600);
  });

  it('stays pending until a delayed payment succeeds', async () => {
    const checkout = await open('package_120');
    stripe.pay(checkout.session, { later: true });
    await sendCompleted(checkout);
    expect(await orders()).toMatchObject([{ status: 'pending' }]);
    await advanceDays(3);
    expect(await orders()).toMatchObject([{ status: 'pending' }]);
    stripe.completePayment(checkout.session);
    await sendEvent(server, 'checkout.session.async_payment_succeeded', { id: checkout.session });
    expect(await orders()).toMatchObject([{ status: 'paid' }]);
    expect((await minutes()).package_minutes).toBe(120);
  });

  it('fails if a delayed payment fails', async () => {
    const checkout = await open('package_120');
    stripe.pay(checkout.session, { later: true });
    await sendCompleted(checkout);
    await sendEvent(server, 'checkout.session.async_payment_failed', { id: checkout.session });
    expect(await orders()).toMatchObject([{ status: 'failed' }]);
    expect((await minutes()).package_minutes).toBe(0);
  });

  it('expires together with its checkout, by an event or after a day', async () => {
    const withEvent = await open('package_120');
    stripe.expire(withEvent.session);
    await sendEvent(server, 'checkout.session.expired', { id: withEvent.session });
    expect(await orders()).toMatchObject([{ status: 'expired' }]);
    const withoutEvent = await open('package_120');
    await advanceDays(1.01);
    expect(await orders()).toMatchObject([{ status: 'expired' }, { status: 'expired' }]);
    expect(stripe.sessions.get(withoutEvent.session)?.status).toBe('expired');
  });

  it('is fulfilled by the job if its event is late', async () => {
    const checkout = await open('vip_monthly');
    stripe.pay(checkout.session);
    await runBilling(server);
    expect(await orders()).toMatchObject([{ status: 'pending' }]);
    await advanceTo(new Date(server.now().getTime() + 15 * 60_000));
    expect(await orders()).toMatchObject([{ status: 'paid' }]);
    expect(await info()).toMatchObject({ is_vip: true, subscription: { status: 'active' } });
    // The late event has no effect.
    const before = await info();
    await sendCompleted(checkout);
    expect(await info()).toEqual(before);
    expect((await minutes()).vip_minutes).toBe(1200);
  });

  it('is fulfilled even if it expired before the payment was reported', async () => {
    const checkout = await open('package_120');
    await server.db
      .updateTable('orders')
      .set({ status: 'expired' })
      .where('id', '=', checkout.order)
      .execute();
    stripe.pay(checkout.session);
    await sendCompleted(checkout);
    expect(await orders()).toMatchObject([{ status: 'paid' }]);
    expect((await minutes()).package_minutes).toBe(120);
  });

  it('fails if its checkout cannot be opened', async () => {
    stripe.failWith = 400;
    const refused = await call('user/pay', { plan: 'package_120' });
    expect(refused).toMatchObject({ code: codes.paymentFailed, data: null });
    stripe.failWith = 503;
    const unavailable = await call('user/pay', { plan: 'package_120' });
    expect(unavailable).toMatchObject({ code: codes.unavailable, data: null });
    expect((await orders()).map(({ status }) => status)).toEqual(['failed', 'failed']);
  });

  it('has its checkout expired when another membership is ordered', async () => {
    const first = await open('vip_monthly');
    await open('vip_annual');
    await runUndoJobs();
    expect(stripe.sessions.get(first.session)?.status).toBe('expired');
  });

  it('cancels the first of two memberships that were paid in two windows', async () => {
    const [first, second] = [await open('vip_monthly'), await open('vip_monthly')];
    for (const checkout of [first, second]) {
      stripe.pay(checkout.session);
      await sendCompleted(checkout);
    }
    await runUndoJobs();
    const getStatus = ({ session }: Checkout) =>
      stripe.subscriptions.get(stripe.sessions.get(session)?.subscription ?? '')?.status;
    expect([getStatus(first), getStatus(second)]).toEqual(['canceled', 'active']);
    const { vip_expires_at: end } = await info();
    const days = (Date.parse(end ?? '') - server.now().getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(58);
  });
});

describe('a membership through Stripe', () => {
  it('renews with each paid invoice on the same day of the month', async () => {
    const start = new Date(server.now());
    start.setUTCFullYear(start.getUTCFullYear() + 1, 0, 31);
    start.setUTCHours(10, 0, 0, 0);
    await advanceTo(start);
    const { subscription } = await buy('vip_monthly');
    const year = start.getUTCFullYear();
    const ends = [new Date(Date.UTC(year, 2, 0)).getUTCDate(), 31, 30, 31];
    for (const [index, date] of ends.entries()) {
      const { subscription: current, vip_expires_at } = await info();
      expect(current).toMatchObject({ plan: 'vip_monthly', status: 'active' });
      expect(current?.period_end).toBe(vip_expires_at);
      expect(new Date(vip_expires_at ?? '').getUTCMonth()).toBe(index + 1);
      expect(new Date(vip_expires_at ?? '').getUTCDate()).toBe(date);
      expect((await minutes()).vip_minutes).toBe(1200);
      expect(await orders()).toHaveLength(index + 1);
      // VIP stays active although Stripe collects the payment an hour after the period starts.
      await advanceTo(new Date(Date.parse(vip_expires_at ?? '') + 60_000));
      await sendEvent(server, 'customer.subscription.updated', { id: subscription });
      expect(await info()).toMatchObject({ is_vip: true, vip_plan: 'monthly' });
      expect((await minutes()).vip_minutes).toBe(0);
      await advanceTo(new Date(server.now().getTime() + 3_600_000));
      const invoice = stripe.renew(subscription);
      await sendEvent(server, 'invoice.paid', { id: invoice });
      await sendEvent(server, 'invoice.paid', { id: invoice });
    }
    expect((await orders()).map(({ price, currency }) => [price, currency])).toEqual(
      Array(ends.length + 1).fill([999, 'USD']),
    );
  });

  it('is renewed by the job if events are lost', async () => {
    const { subscription } = await buy('vip_monthly');
    await advanceDays(27);
    stripe.renew(subscription);
    stripe.renew(subscription);
    await advanceDays(10);
    expect(await orders()).toHaveLength(3);
    expect(await info()).toMatchObject({ is_vip: true, subscription: { status: 'active' } });
  });

  it('is past due for three days after a declined payment, and resumes once it is paid', async () => {
    const { subscription } = await buy('vip_monthly');
    const { vip_expires_at: end } = await info();
    await advanceTo(new Date(Date.parse(end ?? '') + 3_600_000));
    const invoice = stripe.renew(subscription, false);
    await sendEvent(server, 'invoice.payment_failed', { id: invoice });
    expect(await info()).toMatchObject({
      is_vip: true,
      subscription: { status: 'past_due', period_end: end },
    });
    expect((await minutes()).vip_minutes).toBe(0);
    await advanceDays(3);
    expect(await info()).toMatchObject({ is_vip: false, subscription: { status: 'past_due' } });
    expect(await orders()).toHaveLength(1);
    stripe.payOverdueInvoice(invoice);
    await sendEvent(server, 'invoice.paid', { id: invoice });
    const after = await info();
    expect(after).toMatchObject({ is_vip: true, subscription: { status: 'active' } });
    // The paid month starts at the end of the previous month.
    expect(new Date(after.vip_expires_at ?? '').getUTCDate()).toBe(
      new Date(end ?? '').getUTCDate(),
    );
    expect((await minutes()).vip_minutes).toBe(1200);
    expect(await orders()).toHaveLength(2);
  });

  it('ends when Stripe gives up on its payment', async () => {
    const { subscription } = await buy('vip_monthly');
    await advanceDays(32);
    const invoice = stripe.renew(subscription, false);
    await sendEvent(server, 'invoice.payment_failed', { id: invoice });
    stripe.cancel(subscription);
    await sendEvent(server, 'customer.subscription.deleted', { id: subscription });
    expect(await info()).toMatchObject({ is_vip: false, vip_plan: null, subscription: null });
    // Late events must not reactivate the subscription.
    await sendEvent(server, 'customer.subscription.updated', {
      id: subscription,
      status: 'active',
    });
    await sendEvent(server, 'invoice.payment_failed', { id: invoice });
    expect(await info()).toMatchObject({ is_vip: false, subscription: null });
  });

  it('ends immediately if it is canceled while it is past due', async () => {
    const { subscription } = await buy('vip_monthly');
    await advanceDays(32);
    await sendEvent(server, 'invoice.payment_failed', { id: stripe.renew(subscription, false) });
    const { data } = await call('user/cancelRenewal');
    expect(data.status).toBe('canceled');
    expect(stripe.subscriptions.get(subscription)?.status).toBe('canceled');
    expect(await info()).toMatchObject({ is_vip: false, subscription: null });
  });

  it('stays active until the end of the paid period if it is canceled', async () => {
    const { subscription } = await buy('vip_annual');
    const { data } = await call('user/cancelRenewal');
    expect(data).toMatchObject({ plan: 'vip_annual', status: 'canceled' });
    expect(stripe.subscriptions.get(subscription)?.cancelAtPeriodEnd).toBe(true);
    await sendEvent(server, 'customer.subscription.updated', { id: subscription });
    expect((await info()).subscription).toEqual(data);
    await advanceTo(new Date(Date.parse(data.period_end) - 60_000));
    expect(await info()).toMatchObject({ is_vip: true });
    stripe.cancel(subscription);
    await advanceTo(new Date(Date.parse(data.period_end) + 60_000));
    await sendEvent(server, 'customer.subscription.deleted', { id: subscription });
    expect(await info()).toMatchObject({ is_vip: false, subscription: null });
    expect((await minutes()).vip_minutes).toBe(0);
    expect(await orders()).toHaveLength(1);
  });

  it('is not canceled if Stripe is unavailable', async () => {
    await buy('vip_monthly');
    stripe.failWith = 503;
    expect((await call('user/cancelRenewal')).code).toBe(codes.unavailable);
    stripe.failWith = null;
    expect((await info()).subscription?.status).toBe('active');
  });

  it('is canceled and resumed by changes in the Stripe dashboard', async () => {
    const { subscription } = await buy('vip_monthly');
    const remoteSubscription = stripe.subscriptions.get(subscription);
    if (remoteSubscription) remoteSubscription.cancelAtPeriodEnd = true;
    await sendEvent(server, 'customer.subscription.updated', { id: subscription });
    expect((await info()).subscription?.status).toBe('canceled');
    if (remoteSubscription) remoteSubscription.cancelAtPeriodEnd = false;
    await sendEvent(server, 'customer.subscription.updated', { id: subscription });
    expect((await info()).subscription?.status).toBe('active');
  });
});

describe('a renewal of a membership that has ended', () => {
  const ordersByEmail = () =>
    server.db.selectFrom('orders').selectAll().where('email', '=', owner.email).execute();
  const renewTwice = async (subscription: string) => {
    const id = stripe.renew(subscription);
    for (let withEvent = 0; withEvent < 2; withEvent += 1) {
      expect((await sendEvent(server, 'invoice.paid', { id })).statusCode).toBe(200);
    }
    return id;
  };
  /** Expects the renewal to be refunded once and the subscription to be canceled at Stripe. */
  async function expectRefunded(invoice: string, subscription: string): Promise<void> {
    const order = (await ordersByEmail()).find(({ provider_ref: ref }) => ref === invoice);
    expect(order).toMatchObject({ status: 'refunded', plan: 'vip_monthly', price: 999 });
    const payment = order?.payment_ref ?? '';
    expect(stripe.refunded.has(payment)).toBe(false);
    await runUndoJobs();
    expect(stripe.refunded.has(payment)).toBe(true);
    expect(stripe.subscriptions.get(subscription)?.status).toBe('canceled');
    await sendEvent(server, 'charge.refunded', { id: stripe.refund(payment) });
    await sendEvent(server, 'invoice.paid', { id: invoice });
    await runUndoJobs();
    const refunds = stripe.requests.filter((request) => request === 'POST /v1/refunds');
    expect(refunds).toHaveLength(1);
  }
  beforeEach(async () => {
    await runUndoJobs();
    stripe.requests.length = 0;
  });

  it('is refunded if the membership was replaced; earlier payments are not', async () => {
    const first = await buy('vip_monthly');
    await advanceDays(32);
    await sendEvent(server, 'invoice.paid', { id: stripe.renew(first.subscription) });
    await call('user/cancelRenewal');
    await buy('vip_annual');
    const before = await info();
    const invoice = await renewTwice(first.subscription);
    expect((await orders()).map(({ status }) => status).toSorted()).toEqual([
      'paid',
      'paid',
      'paid',
      'refunded',
    ]);
    await expectRefunded(invoice, first.subscription);
    expect(await info()).toEqual(before);
  });

  it.each(['closed', 'erased'])('is refunded if the account was %s', async (state) => {
    const { subscription } = await buy('vip_monthly');
    await call('user/deactivation');
    if (state === 'erased') {
      await server.db.deleteFrom('accounts').where('id', '=', owner.id).execute();
    }
    await expectRefunded(await renewTwice(subscription), subscription);
    expect((await ordersByEmail()).map(({ status }) => status).toSorted()).toEqual([
      'paid',
      'refunded',
    ]);
  });

  it('is ignored if the subscription was not sold by this server', async () => {
    const ref = `in_${crypto.randomUUID()}`;
    const price = { amount: 500, currency: 'USD' };
    const renewal = { kind: 'renewal', subscriptionRef: 'sub_other', price } as const;
    const fact = { ...renewal, ref, paymentRef: `pi_${ref}`, paidAt: server.now() };
    await createTestFulfillment(server).apply('stripe', [fact]);
    await runUndoJobs();
    expect(stripe.requests).toEqual([]);
    const recorded = server.db.selectFrom('orders').select('id').where('provider_ref', '=', ref);
    expect(await recorded.execute()).toEqual([]);
  });
});

it('does not fulfill a membership that was paid without a subscription', async () => {
  const { order: orderId } = await open('vip_monthly');
  const paid = { kind: 'checkout', orderId, state: 'paid', paidAt: server.now() } as const;
  const applied = createTestFulfillment(server).apply('stripe', [
    { ...paid, paymentRef: `pi_${orderId}` },
  ]);
  await expect(applied).rejects.toThrow('without a subscription');
  expect(await orders()).toMatchObject([{ status: 'pending' }]);
  expect(await info()).toMatchObject({ is_vip: false });
});

it('cancels subscriptions and refunds payments even if a checkout cannot be expired', async () => {
  const { subscription, payment } = await buy('vip_monthly');
  const { session } = await open('package_120');
  const job = undoPaymentsJob(server.payment);
  const jobRun = job(
    {
      provider: 'stripe',
      checkouts: ['cs_unknown', session],
      subscriptions: ['sub_unknown', subscription],
      payments: [payment],
    },
    new AbortController().signal,
  );
  await expect(jobRun).rejects.toMatchObject({
    errors: [{ code: 'refused' }, { code: 'refused' }],
  });
  expect(stripe.subscriptions.get(subscription)?.status).toBe('canceled');
  expect(stripe.refunded.has(payment)).toBe(true);
  expect(stripe.sessions.get(session)?.status).toBe('expired');
});

it('checks the remaining orders before the job fails because of an unexpected error', async () => {
  const [bad, good] = [await open('package_120'), await open('package_600')];
  for (const { session } of [bad, good]) stripe.pay(session);
  server.advanceClock(15 * 60);
  await sql`alter table minute_grants add constraint no_more check (minutes <> 120) not valid`.execute(
    server.db,
  );
  const getStatus = async ({ order }: Checkout) =>
    (await server.db.selectFrom('orders').select('status').where('id', '=', order).execute())[0];
  try {
    await expect(runBilling(server)).rejects.toBeInstanceOf(AggregateError);
    expect(await getStatus(bad)).toEqual({ status: 'pending' });
    expect(await getStatus(good)).toEqual({ status: 'paid' });
  } finally {
    await sql`alter table minute_grants drop constraint no_more`.execute(server.db);
  }
  await runBilling(server);
  expect(await getStatus(bad)).toEqual({ status: 'paid' });
});

it('ignores the state of a subscription if a later state is already known', async () => {
  const { subscription: ref } = await buy('vip_monthly');
  const fulfillment = createTestFulfillment(server);
  const fact = { kind: 'subscription', ref } as const;
  const [earlier, later] = [server.now(), new Date(server.now().getTime() + 5)];
  await fulfillment.apply('stripe', [{ ...fact, status: 'canceled', queriedAt: later }]);
  await fulfillment.apply('stripe', [{ ...fact, status: 'active', queriedAt: earlier }]);
  expect((await info()).subscription?.status).toBe('canceled');
  await fulfillment.apply('stripe', [{ ...fact, status: 'active', queriedAt: later }]);
  expect((await info()).subscription?.status).toBe('active');
});

describe('a refund through Stripe', () => {
  it('by the operator refunds the payment and ends the membership', async () => {
    const { order, payment, subscription } = await buy('vip_monthly');
    await refundOrder(server, order);
    await runUndoJobs();
    expect(stripe.refunded.has(payment)).toBe(true);
    expect(stripe.subscriptions.get(subscription)?.status).toBe('canceled');
    expect(await info()).toMatchObject({ is_vip: false, subscription: null });
    expect(await minutes()).toMatchObject({ vip_minutes: 0, left_minutes: 30 });
    expect(await orders()).toMatchObject([{ status: 'refunded' }]);
    await sendEvent(server, 'charge.refunded', { id: stripe.refund(payment) });
    expect(await orders()).toMatchObject([{ status: 'refunded' }]);
  });

  it('in the dashboard ends the membership', async () => {
    const { payment, subscription } = await buy('vip_annual');
    await sendEvent(server, 'charge.refunded', { id: stripe.refund(payment) });
    await runUndoJobs();
    expect(await info()).toMatchObject({ is_vip: false, subscription: null });
    expect(stripe.subscriptions.get(subscription)?.status).toBe('canceled');
  });

  it('has no effect if it covers only part of the price', async () => {
    const { payment } = await buy('package_120');
    await sendEvent(server, 'charge.refunded', { id: stripe.refund(payment, true) });
    expect((await minutes()).package_minutes).toBe(120);
    await sendEvent(server, 'charge.refunded', { id: stripe.refund(payment) });
    expect((await minutes()).package_minutes).toBe(0);
  });

  it('is applied to its payment even if it is received first', async () => {
    const checkout = await open('package_120');
    stripe.pay(checkout.session);
    const charge = stripe.refund(stripe.getPayment(checkout.session));
    await sendEvent(server, 'charge.refunded', { id: charge });
    await sendCompleted(checkout);
    expect(await orders()).toMatchObject([{ status: 'refunded' }]);
    expect((await minutes()).package_minutes).toBe(0);
  });

  it('is applied to its payment even if both are received concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const checkout = await open('package_120');
      stripe.pay(checkout.session);
      const charge = stripe.refund(stripe.getPayment(checkout.session));
      await Promise.all([
        sendCompleted(checkout),
        sendEvent(server, 'charge.refunded', { id: charge }),
      ]);
    }
    expect(new Set((await orders()).map(({ status }) => status))).toEqual(new Set(['refunded']));
    expect((await minutes()).package_minutes).toBe(0);
  });

  it('changes nothing if Stripe is unavailable', async () => {
    const { order } = await buy('package_120');
    stripe.failWith = 503;
    await expect(refundOrder(server, order)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await minutes()).package_minutes).toBe(120);
  });
});

describe('events from Stripe', () => {
  it.each([
    ['tampered with', { tamper: (payload: string) => payload.replace('evt_', 'evt-') }],
    ['signed with a different secret', { secret: 'whsec_other' }],
    ['too old', { age: 301 }],
  ])('that are %s are rejected', async (_case, options) => {
    const checkout = await open('package_120');
    stripe.pay(checkout.session);
    const requestCount = stripe.requests.length;
    expect((await sendCompleted(checkout, options)).statusCode).toBe(400);
    expect(stripe.requests).toHaveLength(requestCount);
    expect(await orders()).toMatchObject([{ status: 'pending' }]);
    expect((await sendCompleted(checkout, { age: 299 })).statusCode).toBe(200);
    expect(await orders()).toMatchObject([{ status: 'paid' }]);
  });

  it('without a valid signature are rejected, whatever they contain', async () => {
    for (const payload of ['', '{}', 'nonsense', 'x'.repeat(100_000)]) {
      for (const headers of [{}, { 'stripe-signature': 't=1,v1=0' }, { 'stripe-signature': '' }]) {
        const response = await server.app.inject({
          method: 'POST',
          url: '/pay/stripe/webhook',
          headers: { 'content-type': 'application/json', ...headers },
          payload,
        });
        expect(response.statusCode).toBe(400);
      }
    }
  });

  it('are skipped if they were processed before', async () => {
    const { subscription } = await buy('vip_monthly');
    const id = `evt_${crypto.randomUUID()}`;
    const update = () =>
      sendEvent(server, 'customer.subscription.updated', { id: subscription }, { id });
    expect((await update()).statusCode).toBe(200);
    const remoteSubscription = stripe.subscriptions.get(subscription);
    if (remoteSubscription) remoteSubscription.cancelAtPeriodEnd = true;
    expect((await update()).statusCode).toBe(200);
    expect((await info()).subscription?.status).toBe('active');
    const rows = await server.db
      .selectFrom('payment_events')
      .select('event_id')
      .where('event_id', '=', id)
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('can be retried if processing them failed', async () => {
    const checkout = await open('package_120');
    stripe.pay(checkout.session);
    const id = `evt_${crypto.randomUUID()}`;
    await sql`alter table minute_grants add constraint no_more check (minutes <> 120) not valid`.execute(
      server.db,
    );
    const failed = await sendCompleted(checkout, { id });
    await sql`alter table minute_grants drop constraint no_more`.execute(server.db);
    expect(failed.statusCode).toBe(500);
    expect(await orders()).toMatchObject([{ status: 'pending' }]);
    expect((await sendCompleted(checkout, { id })).statusCode).toBe(200);
    expect((await minutes()).package_minutes).toBe(120);
  });

  it('are acknowledged if their types are irrelevant', async () => {
    const other = await sendEvent(server, 'customer.created', { id: 'cus_1', object: 'customer' });
    expect(other.statusCode).toBe(200);
    const unknown = await sendEvent(server, 'something.invented', {});
    expect(unknown.statusCode).toBe(200);
  });

  it.each([
    'checkout.session.completed',
    'checkout.session.async_payment_failed',
    'invoice.paid',
    'customer.subscription.updated',
    'charge.refunded',
  ])('of type %s about an object of another application are acknowledged', async (type) => {
    const response = await sendEvent(server, type, { id: 'of_another_application' });
    expect(response.statusCode).toBe(200);
  });

  it('can be retried after Stripe was unavailable', async () => {
    const checkout = await open('package_120');
    stripe.pay(checkout.session);
    const id = `evt_${crypto.randomUUID()}`;
    stripe.failWith = 503;
    expect((await sendCompleted(checkout, { id })).statusCode).toBe(503);
    stripe.failWith = null;
    expect((await sendCompleted(checkout, { id })).statusCode).toBe(200);
    expect(await orders()).toMatchObject([{ status: 'paid' }]);
  });

  it('are the only way to complete a checkout, because the sandbox is not served', async () => {
    const response = await server.app.inject({ method: 'GET', url: '/pay/sandbox/x?s=y' });
    expect(response.statusCode).toBe(404);
  });
});

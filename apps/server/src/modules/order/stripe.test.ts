import { codes } from '@linnet/contract/codes';
import type { PlanId } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fulfilmentOf, passTo, refundOrder, runBilling } from '../../../test/orders.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { StripeStandIn } from '../../../test/stripe.ts';
import { sendEvent, startStripe, stripeSecrets } from '../../../test/stripe.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { undoPaymentsJob } from '../../jobs/undo-payments.ts';

let stripe: StripeStandIn;
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

async function goTo(time: Date): Promise<void> {
  await passTo(server, time);
  access = (await server.call('user/login', owner)).data.access_token;
}
const goDays = (days: number) => goTo(new Date(server.now().getTime() + days * 86_400_000));

interface Checkout {
  readonly order: string;
  readonly session: string;
}
async function open(plan: PlanId): Promise<Checkout> {
  const { data, msg } = await call('user/pay', { plan });
  if (!data) throw new Error(`the order was refused: ${msg}`);
  return { order: data.order_id, session: data.pay_url.split('/').at(-1) ?? '' };
}
const completed = ({ session }: Checkout, options?: Parameters<typeof sendEvent>[3]) =>
  sendEvent(server, 'checkout.session.completed', { id: session }, options);
async function buy(plan: PlanId): Promise<Checkout & { subscription: string; payment: string }> {
  const checkout = await open(plan);
  stripe.pay(checkout.session);
  expect((await completed(checkout)).statusCode).toBe(200);
  return {
    ...checkout,
    subscription: stripe.sessions.get(checkout.session)?.subscription ?? '',
    payment: stripe.paymentOf(checkout.session),
  };
}

/** Does what the jobs that were enqueued say, and takes them off. */
async function runUndo(): Promise<void> {
  const job = undoPaymentsJob(server.payment);
  const { rows } = await sql<{ data: Jobs['undo-payments'] }>`
    delete from pgboss.job where name = 'undo-payments' returning data`.execute(server.db);
  for (const { data } of rows) {
    await job(data, new AbortController().signal);
  }
}

describe('an order paid through Stripe', () => {
  it('opens a checkout there, and waits', async () => {
    const { order, session } = await open('package_600');
    expect(stripe.sessions.get(session)?.fields.client_reference_id).toBe(order);
    expect(await orders()).toMatchObject([{ id: order, status: 'pending', paid_at: null }]);
  });

  it('is fulfilled by its event, once however often that comes', async () => {
    const checkout = await open('package_600');
    stripe.pay(checkout.session);
    const id = `evt_${crypto.randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) => completed(checkout, n < 3 ? { id } : {})),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(200));
    expect(await minutes()).toMatchObject({ package_minutes: 600, left_minutes: 630 });
    expect(await orders()).toMatchObject([{ status: 'paid' }]);
  });

  it('whose event got lost is found when its owner asks for it, once', async () => {
    const paid = await open('package_600');
    const left = await open('package_120');
    stripe.pay(paid.session);
    expect(await orders()).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
    const { data } = await call('user/restore');
    expect(data.restored).toMatchObject([{ id: paid.order, plan: 'package_600', status: 'paid' }]);
    expect((await minutes()).package_minutes).toBe(600);
    expect((await call('user/restore')).data.restored).toEqual([]);
    await completed(paid);
    expect((await minutes()).package_minutes).toBe(600);
    expect(await orders()).toMatchObject([{ id: left.order, status: 'pending' }, {}]);
    stripe.failWith = 503;
    expect(await call('user/restore')).toMatchObject({ code: codes.unavailable, data: null });
  });

  it('is found though the payment service does not know another one any more', async () => {
    const lost = await open('package_120');
    stripe.forget(lost.session);
    expect(await call('user/restore')).toMatchObject({ code: codes.paymentFailed, data: null });
    const paid = await open('package_600');
    stripe.pay(paid.session);
    const { data } = await call('user/restore');
    expect(data.restored).toMatchObject([{ id: paid.order, status: 'paid' }]);
    expect((await minutes()).package_minutes).toBe(600);
  });

  it('whose money is on its way waits for it, whatever time that takes', async () => {
    const checkout = await open('package_120');
    stripe.pay(checkout.session, { later: true });
    await completed(checkout);
    expect(await orders()).toMatchObject([{ status: 'pending' }]);
    await goDays(3);
    expect(await orders()).toMatchObject([{ status: 'pending' }]);
    stripe.arrive(checkout.session);
    await sendEvent(server, 'checkout.session.async_payment_succeeded', { id: checkout.session });
    expect(await orders()).toMatchObject([{ status: 'paid' }]);
    expect((await minutes()).package_minutes).toBe(120);
  });

  it('whose money did not arrive has failed', async () => {
    const checkout = await open('package_120');
    stripe.pay(checkout.session, { later: true });
    await completed(checkout);
    await sendEvent(server, 'checkout.session.async_payment_failed', { id: checkout.session });
    expect(await orders()).toMatchObject([{ status: 'failed' }]);
    expect((await minutes()).package_minutes).toBe(0);
  });

  it('that nobody paid expires, by its event or after a day, and is closed there', async () => {
    const told = await open('package_120');
    stripe.expire(told.session);
    await sendEvent(server, 'checkout.session.expired', { id: told.session });
    expect(await orders()).toMatchObject([{ status: 'expired' }]);
    const untold = await open('package_120');
    await goDays(1.01);
    expect(await orders()).toMatchObject([{ status: 'expired' }, { status: 'expired' }]);
    expect(stripe.sessions.get(untold.session)?.status).toBe('expired');
  });

  it('is fulfilled without any event: the job asks', async () => {
    const checkout = await open('vip_monthly');
    stripe.pay(checkout.session);
    await runBilling(server);
    expect(await orders()).toMatchObject([{ status: 'pending' }]);
    await goTo(new Date(server.now().getTime() + 15 * 60_000));
    expect(await orders()).toMatchObject([{ status: 'paid' }]);
    expect(await info()).toMatchObject({ is_vip: true, subscription: { status: 'active' } });
    // The event that comes late changes nothing.
    const before = await info();
    await completed(checkout);
    expect(await info()).toEqual(before);
    expect((await minutes()).vip_minutes).toBe(1200);
  });

  it('that was paid at the last moment counts, though it had expired here', async () => {
    const checkout = await open('package_120');
    await server.db
      .updateTable('orders')
      .set({ status: 'expired' })
      .where('id', '=', checkout.order)
      .execute();
    stripe.pay(checkout.session);
    await completed(checkout);
    expect(await orders()).toMatchObject([{ status: 'paid' }]);
    expect((await minutes()).package_minutes).toBe(120);
  });

  it('fails when Stripe refuses it, and says so; nothing waits then', async () => {
    stripe.failWith = 400;
    const refused = await call('user/pay', { plan: 'package_120' });
    expect(refused).toMatchObject({ code: codes.paymentFailed, data: null });
    stripe.failWith = 503;
    const away = await call('user/pay', { plan: 'package_120' });
    expect(away).toMatchObject({ code: codes.unavailable, data: null });
    expect((await orders()).map(({ status }) => status)).toEqual(['failed', 'failed']);
  });

  it('of a membership that another checkout replaced is closed there', async () => {
    const first = await open('vip_monthly');
    await open('vip_annual');
    await runUndo();
    expect(stripe.sessions.get(first.session)?.status).toBe('expired');
  });

  it('of a second membership, paid in another window, leaves one that renews itself', async () => {
    const [first, second] = [await open('vip_monthly'), await open('vip_monthly')];
    for (const checkout of [first, second]) {
      stripe.pay(checkout.session);
      await completed(checkout);
    }
    await runUndo();
    const statusOf = ({ session }: Checkout) =>
      stripe.subscriptions.get(stripe.sessions.get(session)?.subscription ?? '')?.status;
    expect([statusOf(first), statusOf(second)]).toEqual(['canceled', 'active']);
    const { vip_expires_at: end } = await info();
    const days = (Date.parse(end ?? '') - server.now().getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(58);
  });
});

describe('a membership through Stripe', () => {
  it('renews by its invoices, month by month, and keeps the day', async () => {
    const start = new Date(server.now());
    start.setUTCFullYear(start.getUTCFullYear() + 1, 0, 31);
    start.setUTCHours(10, 0, 0, 0);
    await goTo(start);
    const { subscription } = await buy('vip_monthly');
    const year = start.getUTCFullYear();
    const ends = [new Date(Date.UTC(year, 2, 0)).getUTCDate(), 31, 30, 31];
    for (const [index, date] of ends.entries()) {
      const { subscription: shown, vip_expires_at } = await info();
      expect(shown).toMatchObject({ plan: 'vip_monthly', status: 'active' });
      expect(shown?.period_end).toBe(vip_expires_at);
      expect(new Date(vip_expires_at ?? '').getUTCMonth()).toBe(index + 1);
      expect(new Date(vip_expires_at ?? '').getUTCDate()).toBe(date);
      expect((await minutes()).vip_minutes).toBe(1200);
      expect(await orders()).toHaveLength(index + 1);
      // Stripe begins the period, and its money comes an hour later: VIP does not blink.
      await goTo(new Date(Date.parse(vip_expires_at ?? '') + 60_000));
      await sendEvent(server, 'customer.subscription.updated', { id: subscription });
      expect(await info()).toMatchObject({ is_vip: true, vip_plan: 'monthly' });
      expect((await minutes()).vip_minutes).toBe(0);
      await goTo(new Date(server.now().getTime() + 3_600_000));
      const invoice = stripe.renew(subscription);
      await sendEvent(server, 'invoice.paid', { id: invoice });
      await sendEvent(server, 'invoice.paid', { id: invoice });
    }
    expect((await orders()).map(({ price, currency }) => [price, currency])).toEqual(
      Array(ends.length + 1).fill([999, 'USD']),
    );
  });

  it('renews without any event: the job asks', async () => {
    const { subscription } = await buy('vip_monthly');
    await goDays(27);
    stripe.renew(subscription);
    stripe.renew(subscription);
    await goDays(10);
    expect(await orders()).toHaveLength(3);
    expect(await info()).toMatchObject({ is_vip: true, subscription: { status: 'active' } });
  });

  it('whose card is refused is late, stays VIP for three days, and comes back when it pays', async () => {
    const { subscription } = await buy('vip_monthly');
    const { vip_expires_at: end } = await info();
    await goTo(new Date(Date.parse(end ?? '') + 3_600_000));
    const invoice = stripe.renew(subscription, false);
    await sendEvent(server, 'invoice.payment_failed', { id: invoice });
    expect(await info()).toMatchObject({
      is_vip: true,
      subscription: { status: 'past_due', period_end: end },
    });
    expect((await minutes()).vip_minutes).toBe(0);
    await goDays(3);
    expect(await info()).toMatchObject({ is_vip: false, subscription: { status: 'past_due' } });
    expect(await orders()).toHaveLength(1);
    stripe.payLate(invoice);
    await sendEvent(server, 'invoice.paid', { id: invoice });
    const after = await info();
    expect(after).toMatchObject({ is_vip: true, subscription: { status: 'active' } });
    // The month counts from where the last one ended.
    expect(new Date(after.vip_expires_at ?? '').getUTCDate()).toBe(
      new Date(end ?? '').getUTCDate(),
    );
    expect((await minutes()).vip_minutes).toBe(1200);
    expect(await orders()).toHaveLength(2);
  });

  it('that Stripe gives up on is over', async () => {
    const { subscription } = await buy('vip_monthly');
    await goDays(32);
    const invoice = stripe.renew(subscription, false);
    await sendEvent(server, 'invoice.payment_failed', { id: invoice });
    stripe.cancel(subscription);
    await sendEvent(server, 'customer.subscription.deleted', { id: subscription });
    expect(await info()).toMatchObject({ is_vip: false, vip_plan: null, subscription: null });
    // An older event that comes late does not bring it back.
    await sendEvent(server, 'customer.subscription.updated', {
      id: subscription,
      status: 'active',
    });
    await sendEvent(server, 'invoice.payment_failed', { id: invoice });
    expect(await info()).toMatchObject({ is_vip: false, subscription: null });
  });

  it('that is late and cancelled is not charged any more', async () => {
    const { subscription } = await buy('vip_monthly');
    await goDays(32);
    await sendEvent(server, 'invoice.payment_failed', { id: stripe.renew(subscription, false) });
    const { data } = await call('user/cancelRenewal');
    expect(data.status).toBe('canceled');
    expect(stripe.subscriptions.get(subscription)?.status).toBe('canceled');
    expect(await info()).toMatchObject({ is_vip: false, subscription: null });
  });

  it('is cancelled there too, and runs until it is paid', async () => {
    const { subscription } = await buy('vip_annual');
    const { data } = await call('user/cancelRenewal');
    expect(data).toMatchObject({ plan: 'vip_annual', status: 'canceled' });
    expect(stripe.subscriptions.get(subscription)?.cancelAtPeriodEnd).toBe(true);
    await sendEvent(server, 'customer.subscription.updated', { id: subscription });
    expect((await info()).subscription).toEqual(data);
    await goTo(new Date(Date.parse(data.period_end) - 60_000));
    expect(await info()).toMatchObject({ is_vip: true });
    stripe.cancel(subscription);
    await goTo(new Date(Date.parse(data.period_end) + 60_000));
    await sendEvent(server, 'customer.subscription.deleted', { id: subscription });
    expect(await info()).toMatchObject({ is_vip: false, subscription: null });
    expect((await minutes()).vip_minutes).toBe(0);
    expect(await orders()).toHaveLength(1);
  });

  it('cannot be cancelled while Stripe does not answer, and is not then', async () => {
    await buy('vip_monthly');
    stripe.failWith = 503;
    expect((await call('user/cancelRenewal')).code).toBe(codes.unavailable);
    stripe.failWith = null;
    expect((await info()).subscription?.status).toBe('active');
  });

  it('that was cancelled in the dashboard is cancelled here', async () => {
    const { subscription } = await buy('vip_monthly');
    const there = stripe.subscriptions.get(subscription);
    if (there) there.cancelAtPeriodEnd = true;
    await sendEvent(server, 'customer.subscription.updated', { id: subscription });
    expect((await info()).subscription?.status).toBe('canceled');
    if (there) there.cancelAtPeriodEnd = false;
    await sendEvent(server, 'customer.subscription.updated', { id: subscription });
    expect((await info()).subscription?.status).toBe('active');
  });
});

describe('a renewal charged for what is over here', () => {
  const billed = () =>
    server.db.selectFrom('orders').selectAll().where('email', '=', owner.email).execute();
  const renewed = async (subscription: string) => {
    const id = stripe.renew(subscription);
    for (let told = 0; told < 2; told += 1) {
      expect((await sendEvent(server, 'invoice.paid', { id })).statusCode).toBe(200);
    }
    return id;
  };
  /** Its money went back, once, and the subscription is over there. */
  async function expectGivenBack(invoice: string, subscription: string): Promise<void> {
    const order = (await billed()).find(({ provider_ref: ref }) => ref === invoice);
    expect(order).toMatchObject({ status: 'refunded', plan: 'vip_monthly', price: 999 });
    const payment = order?.payment_ref ?? '';
    expect(stripe.refunded.has(payment)).toBe(false);
    await runUndo();
    expect(stripe.refunded.has(payment)).toBe(true);
    expect(stripe.subscriptions.get(subscription)?.status).toBe('canceled');
    await sendEvent(server, 'charge.refunded', { id: stripe.refund(payment) });
    await sendEvent(server, 'invoice.paid', { id: invoice });
    await runUndo();
    const refunds = stripe.requests.filter((request) => request === 'POST /v1/refunds');
    expect(refunds).toHaveLength(1);
  }
  beforeEach(async () => {
    await runUndo();
    stripe.requests.length = 0;
  });

  it('that was replaced goes back, and what was paid before stays paid', async () => {
    const first = await buy('vip_monthly');
    await goDays(32);
    await sendEvent(server, 'invoice.paid', { id: stripe.renew(first.subscription) });
    await call('user/cancelRenewal');
    await buy('vip_annual');
    const before = await info();
    const invoice = await renewed(first.subscription);
    expect((await orders()).map(({ status }) => status).toSorted()).toEqual([
      'paid',
      'paid',
      'paid',
      'refunded',
    ]);
    await expectGivenBack(invoice, first.subscription);
    expect(await info()).toEqual(before);
  });

  it.each(['closed', 'erased'])('with its account, %s, goes back', async (how) => {
    const { subscription } = await buy('vip_monthly');
    await call('user/deactivation');
    if (how === 'erased') {
      await server.db.deleteFrom('accounts').where('id', '=', owner.id).execute();
    }
    await expectGivenBack(await renewed(subscription), subscription);
    expect((await billed()).map(({ status }) => status).toSorted()).toEqual(['paid', 'refunded']);
  });

  it('stays with whoever else sells through the same account at Stripe', async () => {
    const ref = `in_${crypto.randomUUID()}`;
    const price = { amount: 500, currency: 'USD' };
    const renewal = { kind: 'renewal', subscriptionRef: 'sub_other', price } as const;
    const fact = { ...renewal, ref, paymentRef: `pi_${ref}`, paidAt: server.now() };
    await fulfilmentOf(server).apply('stripe', [fact]);
    await runUndo();
    expect(stripe.requests).toEqual([]);
    const known = server.db.selectFrom('orders').select('id').where('provider_ref', '=', ref);
    expect(await known.execute()).toEqual([]);
  });
});

it('a membership that is paid without a subscription is not taken as one', async () => {
  const { order: orderId } = await open('vip_monthly');
  const paid = { kind: 'checkout', orderId, state: 'paid', paidAt: server.now() } as const;
  const applied = fulfilmentOf(server).apply('stripe', [{ ...paid, paymentRef: `pi_${orderId}` }]);
  await expect(applied).rejects.toThrow('without a subscription');
  expect(await orders()).toMatchObject([{ status: 'pending' }]);
  expect(await info()).toMatchObject({ is_vip: false });
});

it('a checkout that cannot be closed stops neither the subscriptions nor the money', async () => {
  const { subscription, payment } = await buy('vip_monthly');
  const { session } = await open('package_120');
  const job = undoPaymentsJob(server.payment);
  const undone = job(
    {
      provider: 'stripe',
      checkouts: ['cs_unknown', session],
      subscriptions: ['sub_unknown', subscription],
      payments: [payment],
    },
    new AbortController().signal,
  );
  await expect(undone).rejects.toMatchObject({
    errors: [{ code: 'refused' }, { code: 'refused' }],
  });
  expect(stripe.subscriptions.get(subscription)?.status).toBe('canceled');
  expect(stripe.refunded.has(payment)).toBe(true);
  expect(stripe.sessions.get(session)?.status).toBe('expired');
});

it('an order that fails unforeseen fails the job, after the others', async () => {
  const [bad, good] = [await open('package_120'), await open('package_600')];
  for (const { session } of [bad, good]) stripe.pay(session);
  server.pass(15 * 60);
  await sql`alter table minute_grants add constraint no_more check (minutes <> 120) not valid`.execute(
    server.db,
  );
  const statusOf = async ({ order }: Checkout) =>
    (await server.db.selectFrom('orders').select('status').where('id', '=', order).execute())[0];
  try {
    await expect(runBilling(server)).rejects.toBeInstanceOf(AggregateError);
    expect(await statusOf(bad)).toEqual({ status: 'pending' });
    expect(await statusOf(good)).toEqual({ status: 'paid' });
  } finally {
    await sql`alter table minute_grants drop constraint no_more`.execute(server.db);
  }
  await runBilling(server);
  expect(await statusOf(bad)).toEqual({ status: 'paid' });
});

it('an answer that was asked for earlier does not undo a later one', async () => {
  const { subscription: ref } = await buy('vip_monthly');
  const fulfilment = fulfilmentOf(server);
  const fact = { kind: 'subscription', ref } as const;
  const [earlier, later] = [server.now(), new Date(server.now().getTime() + 5)];
  await fulfilment.apply('stripe', [{ ...fact, status: 'canceled', askedAt: later }]);
  await fulfilment.apply('stripe', [{ ...fact, status: 'active', askedAt: earlier }]);
  expect((await info()).subscription?.status).toBe('canceled');
  await fulfilment.apply('stripe', [{ ...fact, status: 'active', askedAt: later }]);
  expect((await info()).subscription?.status).toBe('active');
});

describe('a refund through Stripe', () => {
  it('by the operator gives the money back, ends the membership here and there', async () => {
    const { order, payment, subscription } = await buy('vip_monthly');
    await refundOrder(server, order);
    await runUndo();
    expect(stripe.refunded.has(payment)).toBe(true);
    expect(stripe.subscriptions.get(subscription)?.status).toBe('canceled');
    expect(await info()).toMatchObject({ is_vip: false, subscription: null });
    expect(await minutes()).toMatchObject({ vip_minutes: 0, left_minutes: 30 });
    expect(await orders()).toMatchObject([{ status: 'refunded' }]);
    await sendEvent(server, 'charge.refunded', { id: stripe.refund(payment) });
    expect(await orders()).toMatchObject([{ status: 'refunded' }]);
  });

  it('in the dashboard does the same', async () => {
    const { payment, subscription } = await buy('vip_annual');
    await sendEvent(server, 'charge.refunded', { id: stripe.refund(payment) });
    await runUndo();
    expect(await info()).toMatchObject({ is_vip: false, subscription: null });
    expect(stripe.subscriptions.get(subscription)?.status).toBe('canceled');
  });

  it('of a part leaves what was bought', async () => {
    const { payment } = await buy('package_120');
    await sendEvent(server, 'charge.refunded', { id: stripe.refund(payment, true) });
    expect((await minutes()).package_minutes).toBe(120);
    await sendEvent(server, 'charge.refunded', { id: stripe.refund(payment) });
    expect((await minutes()).package_minutes).toBe(0);
  });

  it('that is told before the payment leaves nothing', async () => {
    const checkout = await open('package_120');
    stripe.pay(checkout.session);
    const charge = stripe.refund(stripe.paymentOf(checkout.session));
    await sendEvent(server, 'charge.refunded', { id: charge });
    await completed(checkout);
    expect(await orders()).toMatchObject([{ status: 'refunded' }]);
    expect((await minutes()).package_minutes).toBe(0);
  });

  it('that is told at the same moment as the payment leaves nothing', async () => {
    for (let round = 0; round < 5; round += 1) {
      const checkout = await open('package_120');
      stripe.pay(checkout.session);
      const charge = stripe.refund(stripe.paymentOf(checkout.session));
      await Promise.all([
        completed(checkout),
        sendEvent(server, 'charge.refunded', { id: charge }),
      ]);
    }
    expect(new Set((await orders()).map(({ status }) => status))).toEqual(new Set(['refunded']));
    expect((await minutes()).package_minutes).toBe(0);
  });

  it('that Stripe cannot make now changes nothing', async () => {
    const { order } = await buy('package_120');
    stripe.failWith = 503;
    await expect(refundOrder(server, order)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await minutes()).package_minutes).toBe(120);
  });
});

describe('events of Stripe', () => {
  it.each([
    ['tampered with', { tamper: (payload: string) => payload.replace('evt_', 'evt-') }],
    ['signed with another secret', { secret: 'whsec_other' }],
    ['too old', { age: 301 }],
  ])('that are %s are refused, and nothing happens', async (_what, options) => {
    const checkout = await open('package_120');
    stripe.pay(checkout.session);
    const asked = stripe.requests.length;
    expect((await completed(checkout, options)).statusCode).toBe(400);
    expect(stripe.requests).toHaveLength(asked);
    expect(await orders()).toMatchObject([{ status: 'pending' }]);
    expect((await completed(checkout, { age: 299 })).statusCode).toBe(200);
    expect(await orders()).toMatchObject([{ status: 'paid' }]);
  });

  it('without a signature are refused, whatever they hold', async () => {
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

  it('that come again are passed over, whatever is true by then', async () => {
    const { subscription } = await buy('vip_monthly');
    const id = `evt_${crypto.randomUUID()}`;
    const update = () =>
      sendEvent(server, 'customer.subscription.updated', { id: subscription }, { id });
    expect((await update()).statusCode).toBe(200);
    const there = stripe.subscriptions.get(subscription);
    if (there) there.cancelAtPeriodEnd = true;
    expect((await update()).statusCode).toBe(200);
    expect((await info()).subscription?.status).toBe('active');
    const rows = await server.db
      .selectFrom('payment_events')
      .select('event_id')
      .where('event_id', '=', id)
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('are not remembered when what they do fails', async () => {
    const checkout = await open('package_120');
    stripe.pay(checkout.session);
    const id = `evt_${crypto.randomUUID()}`;
    await sql`alter table minute_grants add constraint no_more check (minutes <> 120) not valid`.execute(
      server.db,
    );
    const failed = await completed(checkout, { id });
    await sql`alter table minute_grants drop constraint no_more`.execute(server.db);
    expect(failed.statusCode).toBe(500);
    expect(await orders()).toMatchObject([{ status: 'pending' }]);
    expect((await completed(checkout, { id })).statusCode).toBe(200);
    expect((await minutes()).package_minutes).toBe(120);
  });

  it('about other things are taken and passed over', async () => {
    const other = await sendEvent(server, 'customer.created', { id: 'cus_1', object: 'customer' });
    expect(other.statusCode).toBe(200);
    const unknown = await sendEvent(server, 'something.invented', {});
    expect(unknown.statusCode).toBe(200);
  });

  it('that Stripe cannot be asked about now are sent again', async () => {
    const checkout = await open('package_120');
    stripe.pay(checkout.session);
    const id = `evt_${crypto.randomUUID()}`;
    stripe.failWith = 503;
    expect((await completed(checkout, { id })).statusCode).toBe(503);
    stripe.failWith = null;
    expect((await completed(checkout, { id })).statusCode).toBe(200);
    expect(await orders()).toMatchObject([{ status: 'paid' }]);
  });

  it('of a sandbox have no page here', async () => {
    const response = await server.app.inject({ method: 'GET', url: '/pay/sandbox/x?s=y' });
    expect(response.statusCode).toBe(404);
  });
});

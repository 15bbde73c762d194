import { codes } from '@linnet/contract/codes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buy, choose, passTo, refundOrder, runBilling } from '../../../test/orders.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { addMonths } from '../../calendar.ts';
import { nextRevision } from '../../db/database.ts';
import { createMinutes } from '../minutes/service.ts';

const day = 86_400;
let server: TestServer;
let owner: Account;
let access: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
  access = owner.access;
});

/** Moves the clock, and signs in again: no token lives so long. */
async function goTo(time: Date | string): Promise<void> {
  await passTo(server, time);
  access = (await server.call('user/login', owner)).data.access_token;
}
const goDays = (days: number) => goTo(new Date(server.now().getTime() + days * day * 1000));

const info = async () => (await server.call('user/info', {}, { token: access })).data;
const minutes = async () => (await server.call('user/leftMinute', {}, { token: access })).data;
const orders = async () =>
  (await server.call('user/orderRecord', { limit: 100 }, { token: access })).data.list;
const buyPlan = (plan: Parameters<typeof buy>[2]) => buy(server, { ...owner, access }, plan);

const ledger = createMinutes({ unlimited: false, now: () => server.now() });
/** Reserves and, unless `hold`, settles minutes as a task does. */
async function spend(amount: number, { hold = false } = {}): Promise<string> {
  const taskId = crypto.randomUUID();
  await server.db.transaction().execute(async (trx) => {
    await nextRevision(trx, owner.id);
    const account = await trx
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', owner.id)
      .executeTakeFirstOrThrow();
    await ledger.reserve(trx, account, taskId, amount);
    if (!hold) await ledger.settle(trx, account, taskId, amount);
  });
  return taskId;
}

describe('a trial', () => {
  it('is VIP without monthly minutes, and is over when it is', async () => {
    expect(await info()).toMatchObject({ is_vip: true, vip_plan: 'trial', subscription: null });
    expect(await minutes()).toMatchObject({ vip_minutes: 0, free_minutes: 30 });
    await goDays(13.9);
    expect((await info()).is_vip).toBe(true);
    await goDays(0.2);
    expect(await info()).toMatchObject({ is_vip: false, vip_plan: null });
    expect(await minutes()).toMatchObject({ left_minutes: 30 });
  });

  it('that runs when a membership is bought goes on after it', async () => {
    await goDays(4);
    await buyPlan('vip_monthly');
    expect(await info()).toMatchObject({ vip_plan: 'monthly' });
    expect((await minutes()).vip_minutes).toBe(1200);
    await server.call('user/cancelRenewal', {}, { token: access });
    const { vip_expires_at: end } = await info();
    await goTo(new Date(Date.parse(end ?? '') + 1000));
    expect(await info()).toMatchObject({ is_vip: true, vip_plan: 'trial', subscription: null });
    expect((await minutes()).vip_minutes).toBe(0);
    await goDays(9.9);
    expect((await info()).is_vip).toBe(true);
    await goDays(0.2);
    expect((await info()).is_vip).toBe(false);
  });
});

describe('a membership', () => {
  it('bought on a 31st renews on the last days of months, with an order and minutes each', async () => {
    const start = new Date(server.now());
    start.setUTCFullYear(start.getUTCFullYear() + 1, 0, 31);
    start.setUTCHours(10, 0, 0, 0);
    await goTo(start);
    await buyPlan('vip_monthly');
    const year = start.getUTCFullYear();
    const february = new Date(Date.UTC(year, 2, 0)).getUTCDate();
    const ends = [`02-${february}`, '03-31', '04-30', '05-31', '06-30'];
    for (const [index, end] of ends.entries()) {
      const { subscription, vip_expires_at } = await info();
      expect(subscription).toMatchObject({ plan: 'vip_monthly', status: 'active' });
      expect(subscription?.period_end.slice(0, 13)).toBe(`${year}-${end}T10`);
      expect(vip_expires_at).toBe(subscription?.period_end);
      expect(await minutes()).toMatchObject({ vip_minutes: 1200, free_minutes: 30 });
      const paid = await orders();
      expect(paid.map(({ status }) => status)).toEqual(Array(index + 1).fill('paid'));
      expect(new Set(paid.map(({ price }) => price))).toEqual(new Set([999]));
      await spend(1000);
      expect((await minutes()).vip_minutes).toBe(200);
      // Nothing is charged before the end, however often one looks.
      await goTo(new Date(Date.parse(subscription?.period_end ?? '') - 60_000));
      await runBilling(server);
      expect((await orders()).length).toBe(index + 1);
      expect((await minutes()).vip_minutes).toBe(200);
      await goTo(new Date(Date.parse(subscription?.period_end ?? '') + 30_000));
      await runBilling(server);
    }
  });

  it('is renewed for every month that passed while nothing ran', async () => {
    await buyPlan('vip_monthly');
    const { vip_expires_at: first } = await info();
    await goDays(100);
    expect(await orders()).toHaveLength(4);
    const { vip_expires_at: last, is_vip } = await info();
    expect(is_vip).toBe(true);
    expect(Date.parse(last ?? '')).toBeGreaterThan(server.now().getTime());
    expect(new Date(last ?? '').getUTCDate()).toBe(new Date(first ?? '').getUTCDate());
    expect((await minutes()).vip_minutes).toBe(1200);
  });

  it('for a year gives its minutes month by month', async () => {
    await buyPlan('vip_annual');
    const bought = server.now();
    for (let month = 1; month <= 12; month += 1) {
      expect((await minutes()).vip_minutes).toBe(1200);
      await spend(1200);
      expect((await minutes()).vip_minutes).toBe(0);
      expect(await orders()).toHaveLength(1);
      await goTo(addMonths(bought, month));
    }
    // And then the second year, which was paid.
    expect(await orders()).toHaveLength(2);
    expect((await minutes()).vip_minutes).toBe(1200);
  });

  it('that runs cannot be bought again', async () => {
    await buyPlan('vip_monthly');
    const again = await server.call('user/pay', { plan: 'vip_annual' }, { token: access });
    expect(again).toMatchObject({ code: codes.alreadySubscribed, data: null });
    expect((await server.call('user/pay', { plan: 'package_120' }, { token: access })).code).toBe(
      codes.ok,
    );
  });

  it('that is cancelled runs until it is paid, and is over then', async () => {
    await buyPlan('vip_monthly');
    const { subscription: before } = await info();
    const cancelled = await server.call('user/cancelRenewal', {}, { token: access });
    expect(cancelled.data).toEqual({ ...before, status: 'canceled' });
    expect((await info()).subscription).toEqual(cancelled.data);
    const again = await server.call('user/cancelRenewal', {}, { token: access });
    expect(again.code).toBe(codes.nothingToCancel);
    // The trial that ran when it was bought would go on after it: not what is looked at here.
    await server.db
      .updateTable('accounts')
      .set({ vip_rest_plan: null, vip_rest_seconds: 0 })
      .where('id', '=', owner.id)
      .execute();
    await goTo(new Date(Date.parse(before?.period_end ?? '') - 60_000));
    expect(await info()).toMatchObject({ is_vip: true, vip_plan: 'monthly' });
    expect((await minutes()).vip_minutes).toBe(1200);
    // Even before the job looks at it.
    server.pass(61);
    expect(await info()).toMatchObject({ is_vip: false, vip_plan: null, subscription: null });
    expect(await minutes()).toMatchObject({ vip_minutes: 0, left_minutes: 30 });
    await runBilling(server);
    expect(await info()).toMatchObject({ is_vip: false, vip_plan: null, subscription: null });
    expect(await orders()).toHaveLength(1);
  });

  it('that is cancelled can be bought anew, and what was paid for stays', async () => {
    await buyPlan('vip_monthly');
    const { subscription: first } = await info();
    await server.call('user/cancelRenewal', {}, { token: access });
    await spend(1000);
    await buyPlan('vip_annual');
    const { subscription, vip_expires_at: end, vip_plan } = await info();
    expect(vip_plan).toBe('annual');
    expect(subscription).toEqual({ plan: 'vip_annual', status: 'active', period_end: end });
    const months = (Date.parse(end ?? '') - Date.parse(first?.period_end ?? '')) / 1000 / day;
    expect(Math.round(months)).toBeGreaterThanOrEqual(365);
    // The month that runs had its minutes.
    expect((await minutes()).vip_minutes).toBe(200);
    await goDays(31.1);
    expect((await minutes()).vip_minutes).toBe(1200);
  });

  it('bought in two windows at once is one that renews itself, and both payments count', async () => {
    const before = await orders();
    expect(before).toEqual([]);
    const answers = await Promise.all([
      server.call('user/pay', { plan: 'vip_monthly' }, { token: access }),
      server.call('user/pay', { plan: 'vip_monthly' }, { token: access }),
    ]);
    // However they met, one of the two orders was cancelled; as if its page had been paid already:
    await server.db
      .updateTable('orders')
      .set({ status: 'pending', closed_at: null })
      .where('account_id', '=', owner.id)
      .execute();
    await Promise.all(answers.map(({ data }) => choose(server, data.pay_url, 'success')));
    expect((await orders()).map(({ status }) => status)).toEqual(['paid', 'paid']);
    const { vip_expires_at: end, subscription } = await info();
    expect((Date.parse(end ?? '') - server.now().getTime()) / 1000 / day).toBeGreaterThan(58);
    expect(subscription?.period_end).toBe(end);
    await goDays(40);
    expect(await orders()).toHaveLength(2);
  });
});

describe('a refund', () => {
  it('takes a package back as far as it is not spent', async () => {
    const unused = await buyPlan('package_120');
    const used = await buyPlan('package_600');
    expect((await minutes()).package_minutes).toBe(720);
    await spend(30 + 120 + 200);
    expect(await minutes()).toMatchObject({ free_minutes: 0, package_minutes: 400 });
    await refundOrder(server, used);
    expect(await minutes()).toMatchObject({ package_minutes: 0, left_minutes: 0 });
    await refundOrder(server, unused);
    expect(await minutes()).toMatchObject({ package_minutes: 0, left_minutes: 0 });
    expect((await orders()).map(({ status }) => status)).toEqual(['refunded', 'refunded']);
  });

  it('takes back a package that was not touched, and only that one', async () => {
    const first = await buyPlan('package_120');
    await buyPlan('package_600');
    await refundOrder(server, first);
    expect(await minutes()).toMatchObject({ package_minutes: 600, free_minutes: 30 });
  });

  it('lets a task that runs end on what it holds; what it gives back is gone', async () => {
    const order = await buyPlan('package_120');
    const done = await spend(60, { hold: true });
    const failed = await spend(60, { hold: true });
    expect(await minutes()).toMatchObject({ package_minutes: 30, reserved_minutes: 120 });
    await refundOrder(server, order);
    expect(await minutes()).toMatchObject({ package_minutes: 0, left_minutes: 0 });
    const account = await server.db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', owner.id)
      .executeTakeFirstOrThrow();
    await server.db.transaction().execute(async (trx) => {
      await nextRevision(trx, owner.id);
      await ledger.settle(trx, account, done, 60);
      await ledger.release(trx, failed);
    });
    expect(await minutes()).toMatchObject({ left_minutes: 0, reserved_minutes: 0 });
  });

  it('ends a membership now, with its minutes, and nothing renews itself', async () => {
    const order = await buyPlan('vip_annual');
    await spend(300);
    await goDays(20);
    await refundOrder(server, order);
    // The trial, which was put off, goes on.
    expect(await info()).toMatchObject({ is_vip: true, vip_plan: 'trial', subscription: null });
    expect(await minutes()).toMatchObject({ vip_minutes: 0, left_minutes: 30 });
    expect((await orders()).map(({ status }) => status)).toEqual(['refunded']);
    await goDays(400);
    expect(await info()).toMatchObject({ is_vip: false, vip_plan: null });
    expect(await orders()).toHaveLength(1);
    // And another one can be bought.
    await buyPlan('vip_monthly');
    expect(await info()).toMatchObject({ is_vip: true, vip_plan: 'monthly' });
    expect((await minutes()).vip_minutes).toBe(1200);
  });

  it('of a renewal takes that month back', async () => {
    await buyPlan('vip_monthly');
    await goDays(40);
    const [renewal] = await orders();
    await refundOrder(server, renewal?.id ?? '');
    expect(await info()).toMatchObject({ vip_plan: 'trial', subscription: null });
    expect((await orders()).map(({ status }) => status)).toEqual(['refunded', 'paid']);
  });

  it('of a membership that is long over changes nothing that runs', async () => {
    const old = await buyPlan('vip_monthly');
    await server.call('user/cancelRenewal', {}, { token: access });
    await goDays(60);
    await buyPlan('vip_monthly');
    const before = await info();
    await refundOrder(server, old);
    expect(await info()).toEqual(before);
    expect((await minutes()).vip_minutes).toBe(1200);
  });

  it('is given once, for what was paid', async () => {
    const order = await buyPlan('package_120');
    await refundOrder(server, order);
    await expect(refundOrder(server, order)).rejects.toMatchObject({ reason: 'notFound' });
    const { data } = await server.call('user/pay', { plan: 'package_120' }, { token: access });
    for (const id of [data.order_id, crypto.randomUUID(), 'nonsense']) {
      await expect(refundOrder(server, id)).rejects.toMatchObject({ reason: 'notFound' });
    }
  });
});

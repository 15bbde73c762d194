import { codes } from '@linnet/contract/codes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { advanceClockTo, buy, choose, refundOrder, runBilling } from '../../../test/orders.ts';
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

/** Advances the clock and signs in again, because the access token has expired. */
async function advanceTo(time: Date | string): Promise<void> {
  await advanceClockTo(server, time);
  access = (await server.call('user/login', owner)).data.access_token;
}
const advanceDays = (days: number) =>
  advanceTo(new Date(server.now().getTime() + days * day * 1000));

const info = async () => (await server.call('user/info', {}, { token: access })).data;
const minutes = async () => (await server.call('user/leftMinute', {}, { token: access })).data;
const orders = async () =>
  (await server.call('user/orderRecord', { limit: 100 }, { token: access })).data.list;
const buyPlan = (plan: Parameters<typeof buy>[2]) => buy(server, { ...owner, access }, plan);

const ledger = createMinutes({ unlimited: false, now: () => server.now() });
/** Reserves minutes as a task would, and charges them unless `hold` is set. */
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
  it('grants VIP status without monthly minutes until it expires', async () => {
    expect(await info()).toMatchObject({ is_vip: true, vip_plan: 'trial', subscription: null });
    expect(await minutes()).toMatchObject({ vip_minutes: 0, free_minutes: 30 });
    await advanceDays(13.9);
    expect((await info()).is_vip).toBe(true);
    await advanceDays(0.2);
    expect(await info()).toMatchObject({ is_vip: false, vip_plan: null });
    expect(await minutes()).toMatchObject({ left_minutes: 30 });
  });

  it('is paused by a membership bought during it, and resumes afterwards', async () => {
    await advanceDays(4);
    await buyPlan('vip_monthly');
    expect(await info()).toMatchObject({ vip_plan: 'monthly' });
    expect((await minutes()).vip_minutes).toBe(1200);
    await server.call('user/cancelRenewal', {}, { token: access });
    const { vip_expires_at: end } = await info();
    await advanceTo(new Date(Date.parse(end ?? '') + 1000));
    expect(await info()).toMatchObject({ is_vip: true, vip_plan: 'trial', subscription: null });
    expect((await minutes()).vip_minutes).toBe(0);
    await advanceDays(9.9);
    expect((await info()).is_vip).toBe(true);
    await advanceDays(0.2);
    expect((await info()).is_vip).toBe(false);
  });
});

describe('a membership', () => {
  it('bought on a 31st renews on the last day of each month, with an order and minutes', async () => {
    const start = new Date(server.now());
    start.setUTCFullYear(start.getUTCFullYear() + 1, 0, 31);
    start.setUTCHours(10, 0, 0, 0);
    await advanceTo(start);
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
      // Nothing is charged before the period ends, even if the job runs.
      await advanceTo(new Date(Date.parse(subscription?.period_end ?? '') - 60_000));
      await runBilling(server);
      expect((await orders()).length).toBe(index + 1);
      expect((await minutes()).vip_minutes).toBe(200);
      await advanceTo(new Date(Date.parse(subscription?.period_end ?? '') + 30_000));
      await runBilling(server);
    }
  });

  it('is renewed for every month that passed while the job did not run', async () => {
    await buyPlan('vip_monthly');
    const { vip_expires_at: first } = await info();
    await advanceDays(100);
    expect(await orders()).toHaveLength(4);
    const { vip_expires_at: last, is_vip } = await info();
    expect(is_vip).toBe(true);
    expect(Date.parse(last ?? '')).toBeGreaterThan(server.now().getTime());
    expect(new Date(last ?? '').getUTCDate()).toBe(new Date(first ?? '').getUTCDate());
    expect((await minutes()).vip_minutes).toBe(1200);
  });

  it('includes minutes for each month when it is annual', async () => {
    await buyPlan('vip_annual');
    const bought = server.now();
    for (let month = 1; month <= 12; month += 1) {
      expect((await minutes()).vip_minutes).toBe(1200);
      await spend(1200);
      expect((await minutes()).vip_minutes).toBe(0);
      expect(await orders()).toHaveLength(1);
      await advanceTo(addMonths(bought, month));
    }
    // The second year has been paid for.
    expect(await orders()).toHaveLength(2);
    expect((await minutes()).vip_minutes).toBe(1200);
  });

  it('cannot be bought while another membership is active', async () => {
    await buyPlan('vip_monthly');
    const secondAttempt = await server.call('user/pay', { plan: 'vip_annual' }, { token: access });
    expect(secondAttempt).toMatchObject({ code: codes.alreadySubscribed, data: null });
    expect((await server.call('user/pay', { plan: 'package_120' }, { token: access })).code).toBe(
      codes.ok,
    );
  });

  it('stays active until the end of the paid period when it is canceled', async () => {
    await buyPlan('vip_monthly');
    const { subscription: before } = await info();
    const canceled = await server.call('user/cancelRenewal', {}, { token: access });
    expect(canceled.data).toEqual({ ...before, status: 'canceled' });
    expect((await info()).subscription).toEqual(canceled.data);
    const secondAttempt = await server.call('user/cancelRenewal', {}, { token: access });
    expect(secondAttempt.code).toBe(codes.nothingToCancel);
    // Remove the deferred trial, which would otherwise resume after the membership.
    await server.db
      .updateTable('accounts')
      .set({ vip_rest_plan: null, vip_rest_seconds: 0 })
      .where('id', '=', owner.id)
      .execute();
    await advanceTo(new Date(Date.parse(before?.period_end ?? '') - 60_000));
    expect(await info()).toMatchObject({ is_vip: true, vip_plan: 'monthly' });
    expect((await minutes()).vip_minutes).toBe(1200);
    // The membership has ended even though the job hasn't run yet.
    server.advanceClock(61);
    expect(await info()).toMatchObject({ is_vip: false, vip_plan: null, subscription: null });
    expect(await minutes()).toMatchObject({ vip_minutes: 0, left_minutes: 30 });
    await runBilling(server);
    expect(await info()).toMatchObject({ is_vip: false, vip_plan: null, subscription: null });
    expect(await orders()).toHaveLength(1);
  });

  it('is extended by another purchase after it was canceled', async () => {
    await buyPlan('vip_monthly');
    const { subscription: first } = await info();
    await server.call('user/cancelRenewal', {}, { token: access });
    await spend(1000);
    await buyPlan('vip_annual');
    const { subscription, vip_expires_at: end, vip_plan } = await info();
    expect(vip_plan).toBe('annual');
    expect(subscription).toEqual({ plan: 'vip_annual', status: 'active', period_end: end });
    const addedDays = (Date.parse(end ?? '') - Date.parse(first?.period_end ?? '')) / 1000 / day;
    expect(Math.round(addedDays)).toBeGreaterThanOrEqual(365);
    // The minutes for the current month have already been granted.
    expect((await minutes()).vip_minutes).toBe(200);
    await advanceDays(31.1);
    expect((await minutes()).vip_minutes).toBe(1200);
  });

  it('bought concurrently in two windows is credited twice and renews once', async () => {
    const before = await orders();
    expect(before).toEqual([]);
    const responses = await Promise.all([
      server.call('user/pay', { plan: 'vip_monthly' }, { token: access }),
      server.call('user/pay', { plan: 'vip_monthly' }, { token: access }),
    ]);
    // One of the two orders was canceled. Simulate the case where its checkout had already been paid.
    await server.db
      .updateTable('orders')
      .set({ status: 'pending', closed_at: null })
      .where('account_id', '=', owner.id)
      .execute();
    await Promise.all(responses.map(({ data }) => choose(server, data.pay_url, 'success')));
    expect((await orders()).map(({ status }) => status)).toEqual(['paid', 'paid']);
    const { vip_expires_at: end, subscription } = await info();
    expect((Date.parse(end ?? '') - server.now().getTime()) / 1000 / day).toBeGreaterThan(58);
    expect(subscription?.period_end).toBe(end);
    await advanceDays(40);
    expect(await orders()).toHaveLength(2);
  });
});

describe('a refund', () => {
  it('revokes the unspent minutes of a package', async () => {
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

  it('revokes only the minutes of the refunded package', async () => {
    const first = await buyPlan('package_120');
    await buyPlan('package_600');
    await refundOrder(server, first);
    expect(await minutes()).toMatchObject({ package_minutes: 600, free_minutes: 30 });
  });

  it('leaves reserved minutes to active tasks, and revokes them once they are released', async () => {
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

  it('ends a membership along with its minutes and renewals', async () => {
    const order = await buyPlan('vip_annual');
    await spend(300);
    await advanceDays(20);
    await refundOrder(server, order);
    // The deferred trial resumes.
    expect(await info()).toMatchObject({ is_vip: true, vip_plan: 'trial', subscription: null });
    expect(await minutes()).toMatchObject({ vip_minutes: 0, left_minutes: 30 });
    expect((await orders()).map(({ status }) => status)).toEqual(['refunded']);
    await advanceDays(400);
    expect(await info()).toMatchObject({ is_vip: false, vip_plan: null });
    expect(await orders()).toHaveLength(1);
    // Another membership can be bought.
    await buyPlan('vip_monthly');
    expect(await info()).toMatchObject({ is_vip: true, vip_plan: 'monthly' });
    expect((await minutes()).vip_minutes).toBe(1200);
  });

  it('of a renewal ends the month that it paid for', async () => {
    await buyPlan('vip_monthly');
    await advanceDays(40);
    const [renewal] = await orders();
    await refundOrder(server, renewal?.id ?? '');
    expect(await info()).toMatchObject({ vip_plan: 'trial', subscription: null });
    expect((await orders()).map(({ status }) => status)).toEqual(['refunded', 'paid']);
  });

  it('of an earlier membership does not affect the current membership', async () => {
    const earlierOrder = await buyPlan('vip_monthly');
    await server.call('user/cancelRenewal', {}, { token: access });
    await advanceDays(60);
    await buyPlan('vip_monthly');
    const before = await info();
    await refundOrder(server, earlierOrder);
    expect(await info()).toEqual(before);
    expect((await minutes()).vip_minutes).toBe(1200);
  });

  it('is possible only once, and only for paid orders', async () => {
    const order = await buyPlan('package_120');
    await refundOrder(server, order);
    await expect(refundOrder(server, order)).rejects.toMatchObject({ reason: 'notFound' });
    const { data } = await server.call('user/pay', { plan: 'package_120' }, { token: access });
    for (const id of [data.order_id, crypto.randomUUID(), 'nonsense']) {
      await expect(refundOrder(server, id)).rejects.toMatchObject({ reason: 'notFound' });
    }
  });
});

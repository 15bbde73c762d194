import { minutesFor } from '@linnet/contract/durations';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { addMonths, monthsBetween } from '../../calendar.ts';
import type { Row } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import { grantVipDays } from '../user/vip.ts';
import { createMinutes } from './service.ts';

let server: TestServer;
let clock = new Date('2026-03-15T12:00:00Z');
const minutes = createMinutes({ unlimited: false, now: () => clock });
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function newAccount(vip: Partial<Row<'accounts'>> = {}): Promise<Row<'accounts'>> {
  const { id } = await server.register();
  return server.db
    .updateTable('accounts')
    .set({ vip_plan: null, ...vip })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Creates a task, because every charge refers to a task. */
async function newTask(account: Row<'accounts'>): Promise<string> {
  const recordingId = crypto.randomUUID();
  const id = crypto.randomUUID();
  await server.db
    .insertInto('recordings')
    .values({
      id: recordingId,
      account_id: account.id,
      client_flag: id,
      rev: 1,
      recorded_at: clock,
    })
    .execute();
  await server.db
    .insertInto('tasks')
    .values({ id, recording_id: recordingId, account_id: account.id, language: 'en', rev: 1 })
    .execute();
  return id;
}

const runInTransaction = <T>(run: (trx: Parameters<typeof minutes.release>[0]) => Promise<T>) =>
  server.db.transaction().execute(run);
const readSources = async (account: Row<'accounts'>) =>
  (await minutes.balance(server.db, account)).bySource;

describe('the minute ledger', () => {
  it('spends monthly VIP minutes first, then free minutes, then packages', async () => {
    clock = new Date('2026-03-15T12:00:00Z');
    const account = await newAccount({
      vip_plan: 'monthly',
      vip_started_at: new Date('2026-03-01T00:00:00Z'),
      vip_expires_at: new Date('2026-04-01T00:00:00Z'),
    });
    await minutes.grant(server.db, {
      accountId: account.id,
      source: 'package',
      minutes: 120,
      ref: 'p',
    });
    expect(await readSources(account)).toEqual({ vip: 1200, free: 30, package: 120 });
    const task = await newTask(account);
    await runInTransaction((trx) => minutes.reserve(trx, account, task, 1240));
    expect(await readSources(account)).toEqual({ vip: 0, free: 0, package: 110 });
    await runInTransaction((trx) => minutes.settle(trx, account, task, 1210));
    expect(await readSources(account)).toEqual({ vip: 0, free: 20, package: 120 });
    expect((await minutes.balance(server.db, account)).reserved).toBe(0);
  });

  it('grants monthly minutes each month, and lets unspent minutes expire', async () => {
    clock = new Date('2026-01-31T10:00:00Z');
    const account = await newAccount({
      vip_plan: 'annual',
      vip_started_at: clock,
      vip_expires_at: new Date('2027-01-31T10:00:00Z'),
    });
    const first = await newTask(account);
    await runInTransaction((trx) => minutes.reserve(trx, account, first, 1000));
    expect((await readSources(account)).vip).toBe(200);
    clock = new Date('2026-02-28T10:00:01Z');
    expect((await readSources(account)).vip).toBe(1200);
    clock = new Date('2027-02-01T00:00:00Z');
    expect(await readSources(account)).toEqual({ vip: 0, free: 30, package: 0 });
  });

  it('extends monthly minutes when days are granted during the month', async () => {
    clock = new Date('2026-03-01T00:00:00Z');
    const grantDays = (account: Row<'accounts'>, days: number) =>
      server.db
        .updateTable('accounts')
        .set(grantVipDays(account, days, clock))
        .where('id', '=', account.id)
        .returningAll()
        .executeTakeFirstOrThrow();
    const account = await grantDays(await newAccount({ vip_expires_at: null }), 5);
    const first = await newTask(account);
    await runInTransaction((trx) => minutes.reserve(trx, account, first, 100));
    clock = new Date('2026-03-03T00:00:00Z');
    const extended = await grantDays(account, 5);
    clock = new Date('2026-03-08T00:00:00Z');
    expect((await readSources(extended)).vip).toBe(1100);
    const secondTask = await newTask(account);
    await runInTransaction((trx) => minutes.reserve(trx, extended, secondTask, 200));
    expect(await readSources(extended)).toEqual({ vip: 900, free: 30, package: 0 });
    // An outdated account row must not shorten the extended grant.
    clock = new Date('2026-03-04T00:00:00Z');
    await runInTransaction((trx) => minutes.reserve(trx, account, secondTask, 1));
    clock = new Date('2026-03-10T23:59:59Z');
    expect((await readSources(extended)).vip).toBe(899);
    clock = new Date('2026-03-11T00:00:00Z');
    expect(await readSources(extended)).toEqual({ vip: 0, free: 30, package: 0 });
  });

  it('does not store a grant when the balance is read', async () => {
    clock = new Date('2026-03-15T12:00:00Z');
    const account = await newAccount({
      vip_plan: 'monthly',
      vip_started_at: new Date('2026-03-01T00:00:00Z'),
      vip_expires_at: new Date('2026-04-01T00:00:00Z'),
    });
    expect((await readSources(account)).vip).toBe(1200);
    const rows = await server.db
      .selectFrom('minute_grants')
      .select('purse as source')
      .where('account_id', '=', account.id)
      .execute();
    expect(rows).toEqual([{ source: 'free' }]);
  });

  it('releases a failed task’s minutes, and grants minutes only once per reference', async () => {
    clock = new Date();
    const account = await newAccount();
    const grant = {
      accountId: account.id,
      source: 'package',
      minutes: 10,
      ref: 'order:1',
    } as const;
    await minutes.grant(server.db, grant);
    await minutes.grant(server.db, grant);
    const task = await newTask(account);
    await runInTransaction((trx) => minutes.reserve(trx, account, task, 35));
    expect((await minutes.balance(server.db, account)).left).toBe(5);
    await runInTransaction((trx) => minutes.release(trx, task));
    expect((await minutes.balance(server.db, account)).left).toBe(40);
  });

  it('charges more than was reserved if the balance is sufficient', async () => {
    clock = new Date();
    const account = await newAccount();
    const task = await newTask(account);
    await runInTransaction((trx) => minutes.reserve(trx, account, task, 1));
    await expect(
      runInTransaction((trx) => minutes.settle(trx, account, task, 31)),
    ).rejects.toMatchObject({
      reason: 'notEnoughMinutes',
    });
    expect((await minutes.balance(server.db, account)).reserved).toBe(1);
    await runInTransaction((trx) => minutes.settle(trx, account, task, 30));
    expect(await minutes.balance(server.db, account)).toMatchObject({ left: 0, reserved: 0 });
  });

  it('is never overdrawn by concurrent tasks', async () => {
    clock = new Date('2026-03-15T12:00:00Z');
    const account = await newAccount({
      vip_plan: 'monthly',
      vip_started_at: new Date('2026-03-01T00:00:00Z'),
      vip_expires_at: new Date('2026-04-01T00:00:00Z'),
    });
    for (const ref of ['order:1', 'order:2']) {
      await minutes.grant(server.db, {
        accountId: account.id,
        source: 'package',
        minutes: 120,
        ref,
      });
    }
    const total = 1200 + 30 + 240;
    // The balance is enough for nine of the ten tasks. Some of them use minutes from two sources.
    const each = Math.floor(total / 9);
    const tasks = await Promise.all(Array.from({ length: 10 }, () => newTask(account)));
    const reserved = await Promise.allSettled(
      tasks.map((task) =>
        runInTransaction(async (trx) => {
          await nextRevision(trx, account.id);
          await minutes.reserve(trx, account, task, each);
        }),
      ),
    );
    const reservedTasks = tasks.filter((_, index) => reserved[index]?.status === 'fulfilled');
    expect(reservedTasks).toHaveLength(9);
    expect(await minutes.balance(server.db, account)).toMatchObject({
      left: total - 9 * each,
      reserved: 9 * each,
    });
    // Some tasks fail, and others are shorter or longer than reserved.
    const results = await Promise.allSettled(
      reservedTasks.map((task, index) =>
        runInTransaction(async (trx) => {
          await nextRevision(trx, account.id);
          if (index % 3 === 0) return minutes.release(trx, task);
          return minutes.settle(trx, account, task, index % 3 === 1 ? each - 50 : each + 60);
        }),
      ),
    );
    const rows = await server.db
      .selectFrom('minute_grants as given')
      .leftJoin('minute_charges as charge', (join) =>
        join.onRef('charge.grant_id', '=', 'given.id').on('charge.state', '!=', 'released'),
      )
      .select('given.minutes')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('charge.minutes'), sql<number>`0`).as('spent'))
      .where('given.account_id', '=', account.id)
      .groupBy('given.id')
      .execute();
    expect(rows).toHaveLength(4);
    for (const { spent, minutes: granted } of rows) {
      expect(Number(spent)).toBeLessThanOrEqual(granted);
    }
    const settled = results.reduce((sum, outcome, index) => {
      if (outcome.status === 'rejected') return sum + each;
      return sum + ([0, each - 50, each + 60][index % 3] ?? 0);
    }, 0);
    const { left } = await minutes.balance(server.db, account);
    expect(left).toBe(total - settled);
    expect(left).toBeGreaterThanOrEqual(0);
  });

  it('rounds up to full minutes, and counts months by the day of the month', () => {
    expect([0, 1, 60, 60.01, 3600].map(minutesFor)).toEqual([1, 1, 1, 2, 60]);
    expect(addMonths(new Date('2026-01-31T00:00:00Z'), 1).toISOString()).toContain('2026-02-28');
    expect(addMonths(new Date('2026-12-15T00:00:00Z'), 2).toISOString()).toContain('2027-02-15');
    const from = new Date('2026-01-31T10:00:00Z');
    expect(monthsBetween(from, new Date('2026-02-28T09:59:59Z'))).toBe(0);
    expect(monthsBetween(from, new Date('2026-02-28T10:00:00Z'))).toBe(1);
    expect(monthsBetween(from, new Date('2027-01-31T10:00:00Z'))).toBe(12);
  });

  it('charges the duration measured by the server', async () => {
    const owner = await server.register();
    const wave = toneWave(150, 1000);
    const { id } = await uploadRecording(server, owner, wave, { ext: 'wav', totalTime: 1 });
    await server.call('task/create', { id, language: 'en' }, { token: owner.access });
    const { data } = await server.call('user/leftMinute', {}, { token: owner.access });
    expect(data.reserved_minutes).toBe(3);
  });
});

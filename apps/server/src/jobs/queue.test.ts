import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { idleHandlers } from '../../test/jobs.ts';
import type { TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import { openQueue } from './queue.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('notifies workers only of jobs that can start immediately', async () => {
  const { queue, db, databaseUrl } = server;
  const worker = await openQueue(databaseUrl, 'worker', pino({ level: 'silent' }));
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const notified: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => notified.push(payload));
  const { rows: listening } = await client.query<{ query: string }>(
    `select query from pg_stat_activity where datname = current_database() and query like 'LISTEN %'`,
  );
  expect(listening).toHaveLength(1);
  await client.query(listening[0]?.query ?? '');

  const inAnHour = new Date(Date.now() + 3600_000);
  await db
    .transaction()
    .execute((trx) => queue.enqueue(trx, 'free-audio', { accountId: '1' }, inAnHour));
  await db.transaction().execute(async (trx) => {
    await sql`select pg_sleep(0.01)`.execute(trx);
    // This is later than the start of the transaction.
    const now = new Date();
    const payload = { webhookId: '1', at: now.toISOString() };
    await queue.enqueue(trx, 'deliver-webhook', payload, now);
  });
  await db.transaction().execute((trx) => queue.enqueue(trx, 'mail-feedback', { feedbackId: '1' }));
  await vi.waitUntil(() => notified.includes('mail-feedback'), 60_000);
  expect(notified).toEqual(['deliver-webhook', 'mail-feedback']);

  await client.end();
  await worker.stop();
});

it('runs all waiting jobs of a queue in sequence, without waiting for polls', async () => {
  const { queue, db, databaseUrl } = server;
  const accountIds = ['1', '2', '3', '4', '5'];
  await db.transaction().execute(async (trx) => {
    for (const accountId of accountIds) await queue.enqueue(trx, 'erase-account', { accountId });
  });
  const anHour = 3600;
  const worker = await openQueue(databaseUrl, 'worker', pino({ level: 'silent' }), anHour);
  const erased: string[] = [];
  await worker.work({
    ...idleHandlers(),
    'erase-account': async ({ accountId }) => {
      erased.push(accountId);
    },
  });
  await vi.waitUntil(() => erased.length === accountIds.length, 60_000);
  expect(erased.toSorted()).toEqual(accountIds);
  await worker.stop();
});

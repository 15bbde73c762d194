import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { idleHandlers } from '../../test/jobs.ts';
import type { TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import { JobPostponed } from './jobs.ts';
import { openQueue } from './queue.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('a postponed job is retried after some minutes, and immediately after a different failure', async () => {
  const postponed = new JobPostponed('the service is down');
  const failures = [postponed, postponed, new Error('simulated'), postponed];
  let runs = 0;
  const queue = await openQueue(server.databaseUrl, 'worker', pino({ level: 'silent' }));
  await queue.work({
    ...idleHandlers(),
    transcribe: async () => {
      const failure = failures[runs];
      runs += 1;
      if (failure) throw failure;
    },
  });
  const { db } = server;
  await db
    .transaction()
    .execute((trx) => server.queue.enqueue(trx, 'transcribe', { taskId: 'any' }));
  /** Waits until a run has failed, and returns the seconds until the next run. */
  const secondsAfterRun = async (run: number) => {
    const listWaiting = async () => {
      if (runs < run) return null;
      const { rows } = await sql<{ seconds: number }>`
        select extract(epoch from start_after - now())::float8 as seconds
        from pgboss.job where name = 'transcribe' and state = 'retry'`.execute(db);
      return rows[0] ?? null;
    };
    return (await vi.waitUntil(listWaiting, { timeout: 30_000, interval: 20 })).seconds;
  };
  const startNow = () =>
    sql`update pgboss.job set start_after = now() where name = 'transcribe'`.execute(db);

  expect(await secondsAfterRun(1)).toBeCloseTo(60, -1);
  await startNow();
  await vi.waitUntil(() => runs === 2, { timeout: 30_000 });
  expect(await secondsAfterRun(2)).toBeCloseTo(120, -1);
  await startNow();
  // The third run fails without being postponed, so the fourth run follows immediately.
  await vi.waitUntil(() => runs === 4, { timeout: 30_000 });
  expect(await secondsAfterRun(4)).toBeCloseTo(480, -1);
  await queue.stop();
});

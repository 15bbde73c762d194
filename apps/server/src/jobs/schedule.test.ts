import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import type { JobHandlers, JobName } from './jobs.ts';
import { jobOptions } from './jobs.ts';
import type { Queue } from './queue.ts';
import { openQueue } from './queue.ts';

const log = pino({ level: 'silent' });
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const scheduled = (Object.keys(jobOptions) as JobName[]).filter(
  (name) => jobOptions[name].schedule !== undefined,
);

/** Opens a worker's queue, with handlers that record their runs. */
async function startWorkerQueue(
  handledJobs: JobName[] = [],
  holdUntil: Promise<void> = Promise.resolve(),
): Promise<Queue> {
  const queue = await openQueue(server.databaseUrl, 'worker', log);
  const handlers = Object.keys(jobOptions).map((name) => [
    name,
    async () => {
      handledJobs.push(name as JobName);
      await holdUntil;
    },
  ]);
  await queue.work(Object.fromEntries(handlers) as JobHandlers);
  return queue;
}

async function jobStates(name: JobName): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`
    select state from pgboss.job where name = ${name}`.execute(server.db);
  return rows.map(({ state }) => state);
}

describe('scheduled jobs', () => {
  it('are the only ones stored with a cron expression, in UTC', async () => {
    await sql`insert into pgboss.schedule (name, key, cron, timezone)
      values ('transcribe', '', '* * * * *', 'UTC')`.execute(server.db);
    const queue = await startWorkerQueue();
    await queue.stop();
    const { rows } = await sql<{ name: JobName; cron: string; timezone: string }>`
      select name, cron, timezone from pgboss.schedule order by name`.execute(server.db);
    expect(scheduled).toContain('housekeeping');
    expect(rows).toEqual(
      scheduled
        .toSorted()
        .map((name) => ({ name, cron: jobOptions[name].schedule, timezone: 'UTC' })),
    );
  });

  it('run once across workers, even if they are overdue', async () => {
    // Simulates three hours without a worker.
    await sql`update pgboss.schedule set created_on = now() - interval '2 days'`.execute(server.db);
    await sql`update pgboss.version set cron_on = now() - interval '3 hours'`.execute(server.db);
    const handledJobs: JobName[] = [];
    const queues = await Promise.all([
      startWorkerQueue(handledJobs),
      startWorkerQueue(handledJobs),
    ]);
    await vi.waitUntil(async () => (await jobStates('housekeeping')).includes('completed'), {
      timeout: 60_000,
    });
    await Promise.all(queues.map((queue) => queue.stop()));
    expect(handledJobs.filter((name) => name === 'housekeeping')).toEqual(['housekeeping']);
    expect(await jobStates('housekeeping')).toEqual(['completed']);
  });

  it('are not queued again while one is waiting', async () => {
    const enqueueHousekeeping = () =>
      server.db.transaction().execute((trx) => server.queue.enqueue(trx, 'housekeeping', {}));
    await enqueueHousekeeping();
    await expect(enqueueHousekeeping()).rejects.toThrow('rejected a housekeeping job');
    expect((await jobStates('housekeeping')).filter((state) => state === 'created')).toHaveLength(
      1,
    );
  });
});

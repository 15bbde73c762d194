import { pino } from 'pino';
import { deleteObjectsJob } from '../src/jobs/delete-objects.ts';
import type { JobHandlers, JobName, Jobs } from '../src/jobs/jobs.ts';
import { jobOptions } from '../src/jobs/jobs.ts';
import type { Queue } from '../src/jobs/queue.ts';
import { openQueue } from '../src/jobs/queue.ts';
import type { TestServer } from './server.ts';

/** Returns handlers that do nothing, because a queue requires a handler for every job. */
export function idleHandlers(): JobHandlers {
  const handlers = Object.keys(jobOptions).map((name) => [name, async () => undefined]);
  return Object.fromEntries(handlers) as Record<JobName, () => Promise<void>>;
}

/** Starts a queue that only deletes discarded objects. The caller must stop it. */
export async function startDeleting({ databaseUrl, store }: TestServer): Promise<Queue> {
  const worker = await openQueue(databaseUrl, 'worker', pino({ level: 'silent' }));
  await worker.work({ ...idleHandlers(), 'delete-objects': deleteObjectsJob(store) });
  return worker;
}

/** Returns the keys of queued and running deletions. */
export async function discarded({ queue }: TestServer): Promise<string[]> {
  const jobs = await queue.list(['waiting', 'active']);
  return jobs.flatMap(({ name, payload }) =>
    name === 'delete-objects' ? (payload as Jobs['delete-objects']).keys : [],
  );
}

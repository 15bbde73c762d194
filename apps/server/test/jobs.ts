import type { JobHandlers, JobName } from '../src/jobs/jobs.ts';
import { jobOptions } from '../src/jobs/jobs.ts';

/** Handlers that do nothing, for tests about one job: a queue takes no fewer. */
export function idleHandlers(): JobHandlers {
  const handlers = Object.keys(jobOptions).map((name) => [name, async () => undefined]);
  return Object.fromEntries(handlers) as Record<JobName, () => Promise<void>>;
}

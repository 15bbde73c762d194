import type { JobHandler, JobHandlers, JobName } from '../jobs/jobs.ts';
import type { Metrics } from './metrics.ts';

/** Wraps job handlers to count and time their runs. */
export function measureJobs(handlers: JobHandlers, metrics: Metrics): JobHandlers {
  const entries = Object.entries(handlers).map(([job, handler]) => [
    job,
    withMetrics(job as JobName, handler as JobHandler<JobName>, metrics),
  ]);
  return Object.fromEntries(entries) as JobHandlers;
}

function withMetrics(
  job: JobName,
  handler: JobHandler<JobName>,
  metrics: Metrics,
): JobHandler<JobName> {
  return async (payload, signal) => {
    const start = performance.now();
    let outcome: 'completed' | 'failed' = 'failed';
    try {
      await handler(payload, signal);
      outcome = 'completed';
    } finally {
      metrics.job(job, outcome, (performance.now() - start) / 1000);
    }
  };
}

import type { Pool } from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { within } from '../deadline.ts';
import type { JobName } from '../jobs/jobs.ts';
import type { JobCount } from '../jobs/queue.ts';

/**
 * What a process counts, for Prometheus. Labels name routes, jobs, operations and outcomes, each a small
 * closed set: never an id, a mail address or a title.
 */
export interface Metrics {
  /** An answered request. `code` is the envelope's, or empty where there is no envelope. */
  request(labels: RequestLabels, seconds: number): void;
  /** A job that ran here. */
  job(job: JobName, outcome: 'completed' | 'failed', seconds: number): void;
  /** A task that ended here, and the minutes it cost. */
  task(outcome: string, minutes: number): void;
  storage(operation: string, outcome: string, seconds: number): void;
  /** Shows the process itself: processor, memory, event loop. */
  observeProcess(): void;
  observePool(pool: Pool): void;
  /** Shows the queue, asked at each reading; one that does not answer is left out. */
  observeQueue(counts: () => Promise<JobCount[]>, onFailure: (error: unknown) => void): void;
  /** Everything, as Prometheus reads it. */
  text(): Promise<string>;
  readonly contentType: string;
}

export interface RequestLabels {
  readonly method: string;
  /** The pattern of the route, as registered. */
  readonly route: string;
  readonly status: number;
  readonly code: number | '';
}

/** Seconds: a call takes milliseconds, an upload minutes. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
/** Seconds: a code is mailed at once, a day of audio is heard for hours. */
const jobBuckets = [0.1, 1, 5, 15, 60, 300, 1800, 7200];
const storageBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];
/** A queue that does not answer in time must not hold up the reading. */
const queueLimitMs = 2000;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'linnet_requests_total',
    help: 'Answered requests.',
    labelNames: ['method', 'route', 'status', 'code'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'linnet_request_seconds',
    help: 'From a request to the end of its answer.',
    labelNames: ['method', 'route'],
    buckets: requestBuckets,
    registers,
  });
  const jobSeconds = new Histogram({
    name: 'linnet_job_seconds',
    help: 'Runs of jobs in this process.',
    labelNames: ['job', 'outcome'],
    buckets: jobBuckets,
    registers,
  });
  const tasks = new Counter({
    name: 'linnet_tasks_total',
    help: 'Transcriptions that ended in this process.',
    labelNames: ['outcome'],
    registers,
  });
  const minutes = new Counter({
    name: 'linnet_minutes_total',
    help: 'Transcription minutes settled in this process.',
    registers,
  });
  const storageSeconds = new Histogram({
    name: 'linnet_storage_seconds',
    help: 'Operations on the object store; of a read, until its first byte can be had.',
    labelNames: ['operation', 'outcome'],
    buckets: storageBuckets,
    registers,
  });

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),

    request({ method, route, status, code }, seconds) {
      requests.inc({ method, route, status, code });
      requestSeconds.observe({ method, route }, seconds);
    },

    job: (job, outcome, seconds) => jobSeconds.observe({ job, outcome }, seconds),

    task(outcome, settled) {
      tasks.inc({ outcome });
      minutes.inc(settled);
    },

    storage: (operation, outcome, seconds) =>
      storageSeconds.observe({ operation, outcome }, seconds),

    observeProcess: () => collectDefaultMetrics({ register: registry }),

    observePool(pool) {
      new Gauge({
        name: 'linnet_database_connections',
        help: 'Connections to the database; waiting are queries without one.',
        labelNames: ['state'],
        registers,
        collect() {
          this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
          this.set({ state: 'idle' }, pool.idleCount);
          this.set({ state: 'waiting' }, pool.waitingCount);
        },
      });
    },

    observeQueue(counts, onFailure) {
      const oldest = new Gauge({
        name: 'linnet_jobs_oldest_waiting_seconds',
        help: 'How long the oldest waiting job has waited.',
        labelNames: ['job'],
        registers,
      });
      new Gauge({
        name: 'linnet_jobs',
        help: 'Jobs in the queue, the same from every process. Dead ones were given up on.',
        labelNames: ['job', 'state'],
        registers,
        async collect() {
          this.reset();
          oldest.reset();
          try {
            for (const { job, waiting, active, dead, oldestSeconds } of await within(
              queueLimitMs,
              counts(),
            )) {
              this.set({ job, state: 'waiting' }, waiting);
              this.set({ job, state: 'active' }, active);
              this.set({ job, state: 'dead' }, dead);
              oldest.set({ job }, oldestSeconds);
            }
          } catch (error) {
            onFailure(error);
          }
        },
      });
    },
  };
}

import type { Pool } from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeout } from '../deadline.ts';
import type { JobName } from '../jobs/jobs.ts';
import type { JobCount } from '../jobs/queue.ts';

/**
 * Prometheus metrics of one process. Labels are routes, jobs, operations and outcomes, which are small closed sets.
 * They never contain IDs, email addresses or titles.
 */
export interface Metrics {
  /** Counts a request. `code` is the code in the envelope, or '' without an envelope. */
  request(labels: RequestLabels, seconds: number): void;
  /** Counts a job that ran in this process. */
  job(job: JobName, outcome: 'completed' | 'failed', seconds: number): void;
  /** Counts a task that this process ended, and the minutes charged. */
  task(outcome: string, minutes: number): void;
  /** Counts a summary that this process ended, whether part of a transcription or regenerated. */
  summary(outcome: string): void;
  /** Counts an attempt to send a message to a webhook. */
  webhook(outcome: string): void;
  /** Counts an attempt to send a notification to a push service. */
  push(outcome: string): void;
  storage(operation: string, outcome: string, seconds: number): void;
  /** Adds process metrics: CPU, memory and event loop. */
  observeProcess(): void;
  observePool(pool: Pool): void;
  /** Adds queue metrics. They are collected on each scrape, and omitted if the queue doesn't respond. */
  observeQueue(counts: () => Promise<JobCount[]>, onFailure: (error: unknown) => void): void;
  /** Returns all metrics in the Prometheus text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

export interface RequestLabels {
  readonly method: string;
  /** The registered route pattern. */
  readonly route: string;
  readonly status: number;
  readonly code: number | '';
}

/** Buckets for request durations in seconds, from calls that take milliseconds to uploads that take minutes. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
/** Buckets for job durations in seconds, from brief jobs to transcriptions that take hours. */
const jobBuckets = [0.1, 1, 5, 15, 60, 300, 1800, 7200];
const storageBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];
/** Timeout for queue counts in milliseconds. A slow queue must not block the scrape. */
const queueLimitMs = 2000;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'linnet_requests_total',
    help: 'Handled requests.',
    labelNames: ['method', 'route', 'status', 'code'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'linnet_request_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['method', 'route'],
    buckets: requestBuckets,
    registers,
  });
  const jobSeconds = new Histogram({
    name: 'linnet_job_seconds',
    help: 'Duration of job runs in this process.',
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
  const summaries = new Counter({
    name: 'linnet_summaries_total',
    help: 'Summaries that ended in this process.',
    labelNames: ['outcome'],
    registers,
  });
  const webhooks = new Counter({
    name: 'linnet_webhook_attempts_total',
    help: 'Attempts of this process to send a message to a webhook.',
    labelNames: ['outcome'],
    registers,
  });
  const pushes = new Counter({
    name: 'linnet_push_attempts_total',
    help: 'Attempts of this process to send a notification to a push service.',
    labelNames: ['outcome'],
    registers,
  });
  const storageSeconds = new Histogram({
    name: 'linnet_storage_seconds',
    help: 'Duration of object store operations; of a read, until its first byte.',
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

    summary: (outcome) => summaries.inc({ outcome }),

    webhook: (outcome) => webhooks.inc({ outcome }),

    push: (outcome) => pushes.inc({ outcome }),

    storage: (operation, outcome, seconds) =>
      storageSeconds.observe({ operation, outcome }, seconds),

    observeProcess: () => collectDefaultMetrics({ register: registry }),

    observePool(pool) {
      new Gauge({
        name: 'linnet_database_connections',
        help: 'Database connections; waiting counts queries without one.',
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
      let pending: Promise<readonly JobCount[]> | null = null;
      /** Counts the jobs once for both metrics of a scrape. Returns none if the queue doesn't respond. */
      const readCounts = () => {
        pending ??= withTimeout(queueLimitMs, counts())
          .catch((error: unknown) => {
            onFailure(error);
            return [];
          })
          .finally(() => {
            pending = null;
          });
        return pending;
      };
      new Gauge({
        name: 'linnet_jobs_oldest_waiting_seconds',
        help: 'Longest time that a job has been waiting since it could start.',
        labelNames: ['job'],
        registers,
        async collect() {
          const jobs = await readCounts();
          this.reset();
          for (const { job, oldestSeconds } of jobs) this.set({ job }, oldestSeconds);
        },
      });
      new Gauge({
        name: 'linnet_jobs',
        help: 'Jobs in the queue, the same from every process. Dead jobs have used up their retries.',
        labelNames: ['job', 'state'],
        registers,
        async collect() {
          const jobs = await readCounts();
          this.reset();
          for (const { job, waiting, active, dead } of jobs) {
            this.set({ job, state: 'waiting' }, waiting);
            this.set({ job, state: 'active' }, active);
            this.set({ job, state: 'dead' }, dead);
          }
        },
      });
    },
  };
}

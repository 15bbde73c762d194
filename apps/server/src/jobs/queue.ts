/**
 * The job queue, based on pg-boss. Jobs are stored in PostgreSQL, so a caller can enqueue a job within a transaction.
 * The jobs are defined in `jobs.ts`.
 */
import { fromKysely, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { v5 as uuidv5 } from 'uuid';
import type { Transaction } from '../db/database.ts';
import type { JobHandlers, JobName, Jobs } from './jobs.ts';
import { JobPostponed, jobOptions } from './jobs.ts';

/** Seconds without a heartbeat after which a worker is presumed dead and its jobs are reassigned. */
const heartbeatSeconds = 10;
/** Interval of checking for dead workers, in seconds. */
const superviseSeconds = 2;
/**
 * Poll interval for jobs, in seconds. PostgreSQL notifies workers of new jobs, and a worker that has finished a job
 * fetches the next one immediately. Polls are only needed for retries, jobs with a later start, and lost notifications
 * (such as behind a connection pooler).
 */
const defaultPollSeconds = 2;
/** Maximum duration of a job in seconds, enough for a day-long recording on a slow machine. */
const expireSeconds = 23 * 3600;
/** Initial retry delay of a postponed job, in seconds. Doubles with each retry (exponential backoff). */
const postponedSeconds = 60;
const maxPostponedSeconds = 30 * 60;
/** Time in milliseconds that a stopping worker waits for its jobs before leaving them to another worker. */
const stopTimeoutMs = 5000;

/** Maps pg-boss's six states to the three used here. */
const jobStateSql = `case state when 'active' then 'active' when 'failed' then 'dead' else 'waiting' end`;
const openJobsSql = `pgboss.job where state not in ('completed', 'cancelled')`;
const countJobsSql = `
  select name,
    count(*) filter (where ${jobStateSql} = 'waiting')::int as waiting,
    count(*) filter (where ${jobStateSql} = 'active')::int as active,
    count(*) filter (where ${jobStateSql} = 'dead')::int as dead,
    coalesce(extract(epoch from now() - min(greatest(created_on, start_after))
      filter (where ${jobStateSql} = 'waiting' and start_after <= now())), 0)::float8 as oldest
  from ${openJobsSql} group by name`;
const listJobsSql = `
  select id, name, ${jobStateSql} as state, data as payload, created_on as "createdAt",
    coalesce(output->>'message', '') as reason
  from ${openJobsSql} and name not like '\\_\\_pgboss%' and ${jobStateSql} = any($1)
  order by created_on desc limit 1000`;
/** A random namespace for the IDs of jobs with a key (RFC 9562, 5.5). */
const jobKeyNamespace = '6f0e2c1a-93a7-4d3b-8a51-2b7c5d9e4f10';
/** PostgreSQL's unique violation, which occurs if an exclusive job is already queued or running. */
const uniqueViolation = '23505';

interface CountRow {
  readonly name: string;
  readonly waiting: number;
  readonly active: number;
  readonly dead: number;
  readonly oldest: number;
}

/** A `dead` job has no retries left. */
export type JobState = 'waiting' | 'active' | 'dead';

export interface JobView {
  readonly id: string;
  readonly name: JobName;
  readonly state: JobState;
  readonly payload: object;
  readonly createdAt: Date;
  /** Error of the last run, or '' if it succeeded or the job hasn't run yet. */
  readonly reason: string;
}

/** Number of jobs, by name and state. */
export interface JobCount {
  readonly job: JobName;
  readonly waiting: number;
  readonly active: number;
  /** Number of jobs with no retries left. */
  readonly dead: number;
  /** The longest time in seconds that a job has been waiting although it could start, or 0 if none is waiting. */
  readonly oldestSeconds: number;
}

export interface Queue {
  /**
   * Enqueues a job within a transaction. The job exists only if the transaction commits.
   * @param startAfter earliest start, by default now
   * @param priority higher priorities run first; jobs with the same priority run in order of creation
   */
  enqueue<Name extends JobName>(
    trx: Transaction,
    name: Name,
    payload: Jobs[Name],
    startAfter?: Date,
    priority?: number,
  ): Promise<void>;
  /**
   * Enqueues a job within a transaction, unless a job with the same key was enqueued recently, even if it has
   * finished.
   * @param startAfter earliest start
   */
  enqueueOnce<Name extends JobName>(
    trx: Transaction,
    name: Name,
    key: string,
    payload: Jobs[Name],
    startAfter: Date,
  ): Promise<void>;
  /**
   * Starts processing jobs.
   * @throws RangeError if a job has no handler, or a handler no job
   */
  work(handlers: JobHandlers): Promise<void>;
  /** Counts the jobs, by name. */
  counts(): Promise<JobCount[]>;
  /** Lists up to a thousand jobs in the given states, newest first. */
  list(states: readonly JobState[]): Promise<JobView[]>;
  /** Retries a dead job. Returns false if it isn't dead, or if an exclusive job of this name is already queued. */
  retry(job: Pick<JobView, 'id' | 'name'>): Promise<boolean>;
  /** Deletes a dead job. */
  forget(job: Pick<JobView, 'id' | 'name'>): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Opens the queue, which is stored in the server's PostgreSQL database.
 * @param role a worker also supervises the jobs of dead workers; an API process only enqueues
 * @param pollSeconds seconds between a worker's polls for jobs
 */
export async function openQueue(
  url: string,
  role: 'api' | 'worker',
  log: Logger,
  pollSeconds = defaultPollSeconds,
): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: url,
    max: 4,
    supervise: role === 'worker',
    schedule: role === 'worker',
    monitorIntervalSeconds: superviseSeconds,
    superviseIntervalSeconds: superviseSeconds,
    useListenNotify: role === 'worker',
    // A job stores the trace that it was enqueued in, if any.
    openTelemetry: { propagateContext: true },
  });
  boss.on('error', (error) => log.error({ err: error }, 'queue error'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'queue warning'));
  await boss.start();
  const names = Object.keys(jobOptions) as JobName[];
  // Dead-letter queues must exist before the queues that use them.
  for (const name of names.toSorted(
    (a, b) => Number(hasDeadLetterQueue(a)) - Number(hasDeadLetterQueue(b)),
  )) {
    const { retryLimit, givenUp, schedule } = jobOptions[name];
    const options = {
      retryLimit,
      retryDelay: retryDelay(name),
      heartbeatSeconds,
      expireInSeconds: expireSeconds,
      notify: true,
      ...(givenUp !== undefined && { deadLetter: givenUp }),
    };
    // A scheduled job isn't enqueued while another job with the same name is queued or running.
    await boss.createQueue(name, { ...options, policy: schedule ? 'exclusive' : 'standard' });
    await boss.updateQueue(name, options);
  }

  const stopping = new AbortController();
  return {
    async enqueue(trx, name, payload, startAfter, priority = 0) {
      const id = await boss.send(name, payload, {
        db: fromKysely(trx),
        priority,
        // Omit a start time in the past, because pg-boss notifies workers only of jobs that can start immediately. It
        // compares with the start of the transaction, which may be earlier.
        ...(startAfter && startAfter.getTime() > Date.now() && { startAfter }),
      });
      if (id === null) throw new Error(`the queue rejected a ${name} job`);
    },

    async enqueueOnce(trx, name, key, payload, startAfter) {
      // pg-boss ignores a job whose ID exists.
      await boss.send(name, payload, {
        db: fromKysely(trx),
        id: uuidv5(`${name} ${key}`, jobKeyNamespace),
        startAfter,
      });
    },

    async work(handlers) {
      const handled = Object.keys(handlers);
      const mismatched = names
        .filter((name) => !handled.includes(name))
        .concat(handled.filter((name) => !names.includes(name as JobName)) as JobName[]);
      if (mismatched.length > 0) {
        throw new RangeError(`jobs and handlers do not match: ${mismatched.join(', ')}`);
      }
      for (const name of names) {
        for (let n = 0; n < jobOptions[name].concurrency; n += 1) await startWorker(name, handlers);
      }
      await syncSchedules();
    },

    async counts() {
      const { rows } = (await boss.getDb().executeSql(countJobsSql)) as { rows: CountRow[] };
      return names.map((job) => {
        const row = rows.find(({ name }) => name === job);
        const { waiting = 0, active = 0, dead = 0, oldest = 0 } = row ?? {};
        return { job, waiting, active, dead, oldestSeconds: oldest };
      });
    },

    async list(states) {
      const { rows } = await boss.getDb().executeSql(listJobsSql, [states]);
      return rows as JobView[];
    },

    async retry({ name, id }) {
      const [job] = await boss.findJobs(name, { id });
      if (job?.state !== 'failed') return false;
      try {
        await boss.retry(name, id);
        return true;
      } catch (error) {
        if ((error as { code?: string }).code === uniqueViolation) return false;
        throw error;
      }
    },

    async forget({ name, id }) {
      await boss.deleteJob(name, id);
    },

    async stop() {
      stopping.abort();
      await boss.stop({ graceful: true, timeout: stopTimeoutMs });
    },
  };

  /** Synchronizes the stored schedules with `jobOptions`. */
  async function syncSchedules(): Promise<void> {
    for (const { name } of await boss.getSchedules()) {
      if (jobOptions[name as JobName]?.schedule === undefined) await boss.unschedule(name);
    }
    for (const name of names) {
      const { schedule } = jobOptions[name];
      // A single run makes up for all runs missed while no worker was running.
      if (schedule) await boss.schedule(name, schedule, {}, { tz: 'UTC', missed: 'once' });
    }
  }

  /** Starts a worker, which runs one job at a time. */
  async function startWorker<Name extends JobName>(
    name: Name,
    handlers: JobHandlers,
  ): Promise<void> {
    const options = {
      batchSize: 1,
      pollingIntervalSeconds: pollSeconds,
      notifyPollingIntervalSeconds: pollSeconds,
      heartbeatRefreshSeconds: heartbeatSeconds / 4,
      includeMetadata: true,
    } as const;
    const worker = boss.work<Jobs[Name], void, typeof options>(name, options, async ([job]) => {
      if (!job) return;
      // Makes the worker fetch the next job as soon as this job is finished.
      boss.notifyWorker(await worker);
      // Restore the normal delay after a postponement, because it applies if this worker is killed.
      if (job.retryDelay !== retryDelay(name)) await setRetryDelay(name, job.id, retryDelay(name));
      try {
        await handlers[name](job.data, AbortSignal.any([job.signal, stopping.signal]));
      } catch (error) {
        if (error instanceof JobPostponed) {
          const seconds = Math.min(maxPostponedSeconds, postponedSeconds * 2 ** job.retryCount);
          await setRetryDelay(name, job.id, seconds);
          const details = { job: name, payload: job.data, reason: error.message, seconds };
          log.warn(details, 'job postponed');
        }
        throw error;
      }
    });
    await worker;
  }

  async function setRetryDelay(name: JobName, id: string, seconds: number): Promise<void> {
    const statement = 'update pgboss.job set retry_delay = $3 where name = $1 and id = $2';
    await boss.getDb().executeSql(statement, [name, id, seconds]);
  }
}

/** Returns the delay in seconds before a job is retried, unless it was postponed. */
function retryDelay(name: JobName): number {
  return jobOptions[name].retrySeconds ?? 1;
}

function hasDeadLetterQueue(name: JobName): boolean {
  return jobOptions[name].givenUp !== undefined;
}

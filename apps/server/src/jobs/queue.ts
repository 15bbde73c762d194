import { fromKysely, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Transaction } from '../db/database.ts';
import type { JobHandlers, JobName, Jobs } from './jobs.ts';
import { jobOptions } from './jobs.ts';

/** A worker that says nothing for so long is dead: its jobs go to another. */
const heartbeatSeconds = 10;
/** How often dead workers are looked for, and the queue is asked for work. */
const superviseSeconds = 2;
const pollSeconds = 0.5;
/** A job may run for so long: a day's recording on a slow machine. */
const expireSeconds = 23 * 3600;
/** What a stopping worker gives its jobs before it leaves them to another. */
const stopTimeoutMs = 5000;

const countJobs = `
  select name,
    count(*) filter (where state in ('created', 'retry'))::int as waiting,
    count(*) filter (where state = 'active')::int as active,
    count(*) filter (where state = 'failed')::int as dead,
    coalesce(extract(epoch from now() - min(created_on)
      filter (where state in ('created', 'retry') and start_after <= now())), 0)::float8 as oldest
  from pgboss.job where state not in ('completed', 'cancelled') group by name`;

interface CountRow {
  readonly name: string;
  readonly waiting: number;
  readonly active: number;
  readonly dead: number;
  readonly oldest: number;
}

export interface JobView {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly payload: unknown;
  readonly createdAt: Date;
}

/** How many jobs of a name there are. */
export interface JobCount {
  readonly job: JobName;
  readonly waiting: number;
  readonly active: number;
  /** Given up on. */
  readonly dead: number;
  /** Seconds the oldest waiting one has waited; 0 when none waits. */
  readonly oldestSeconds: number;
}

export interface Queue {
  /**
   * Enqueues within a transaction: the job exists if and only if the transaction commits.
   * @param startAfter when it may run at the earliest; at once if absent
   */
  enqueue<Name extends JobName>(
    trx: Transaction,
    name: Name,
    payload: Jobs[Name],
    startAfter?: Date,
  ): Promise<void>;
  /**
   * Begins to work.
   * @throws RangeError when a job has no handler, or a handler no job
   */
  work(handlers: JobHandlers): Promise<void>;
  /** Every job name, with how many there are. */
  counts(): Promise<JobCount[]>;
  /** Jobs that have not ended well, newest first. */
  list(): Promise<JobView[]>;
  /** Runs a failed job again; false when there is no such failed job. */
  retry(id: string): Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * Opens the queue, which lives in the same PostgreSQL.
 * @param role a worker looks after dead workers' jobs; an API process only enqueues
 */
export async function openQueue(url: string, role: 'api' | 'worker', log: Logger): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: url,
    max: 4,
    supervise: role === 'worker',
    schedule: role === 'worker',
    monitorIntervalSeconds: superviseSeconds,
    superviseIntervalSeconds: superviseSeconds,
  });
  boss.on('error', (error) => log.error({ err: error }, 'the queue had an error'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'the queue warns'));
  await boss.start();
  const names = Object.keys(jobOptions) as JobName[];
  // Those that others give up to come first.
  for (const name of names.toSorted((a, b) => Number(hasHeir(a)) - Number(hasHeir(b)))) {
    const { retryLimit, givenUp, schedule } = jobOptions[name];
    const options = {
      retryLimit,
      retryDelay: 1,
      heartbeatSeconds,
      expireInSeconds: expireSeconds,
      ...(givenUp !== undefined && { deadLetter: givenUp }),
    };
    // A scheduled job is not sent again while one waits or runs.
    await boss.createQueue(name, { ...options, policy: schedule ? 'exclusive' : 'standard' });
    await boss.updateQueue(name, options);
  }

  const stopping = new AbortController();
  return {
    async enqueue(trx, name, payload, startAfter) {
      const id = await boss.send(name, payload, {
        db: fromKysely(trx),
        ...(startAfter && { startAfter }),
      });
      if (id === null) throw new Error(`the queue did not take a ${name} job`);
    },

    async work(handlers) {
      const handled = Object.keys(handlers);
      const odd = names
        .filter((name) => !handled.includes(name))
        .concat(handled.filter((name) => !names.includes(name as JobName)) as JobName[]);
      if (odd.length > 0) throw new RangeError(`jobs and handlers differ: ${odd.join(', ')}`);
      for (const name of names) await workOn(name, handlers);
      await keepSchedules();
    },

    async counts() {
      const { rows } = (await boss.getDb().executeSql(countJobs)) as { rows: CountRow[] };
      return names.map((job) => {
        const row = rows.find(({ name }) => name === job);
        const { waiting = 0, active = 0, dead = 0, oldest = 0 } = row ?? {};
        return { job, waiting, active, dead, oldestSeconds: oldest };
      });
    },

    async list() {
      const jobs = await Promise.all(names.map((name) => boss.findJobs(name, { limit: 200 })));
      return jobs
        .flat()
        .filter(({ state }) => state !== 'completed')
        .map(({ id, name, state, data, createdOn }) => ({
          id,
          name,
          state,
          payload: data,
          createdAt: createdOn,
        }))
        .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    },

    async retry(id) {
      for (const name of names) {
        const [job] = await boss.findJobs(name, { id });
        if (job?.state !== 'failed') continue;
        await boss.retry(name, id);
        return true;
      }
      return false;
    },

    async stop() {
      stopping.abort();
      await boss.stop({ graceful: true, timeout: stopTimeoutMs });
    },
  };

  /** Brings the stored schedules to what `jobOptions` says. */
  async function keepSchedules(): Promise<void> {
    for (const { name } of await boss.getSchedules()) {
      if (jobOptions[name as JobName]?.schedule === undefined) await boss.unschedule(name);
    }
    for (const name of names) {
      const { schedule } = jobOptions[name];
      // One run makes up for all that were missed while no worker ran.
      if (schedule) await boss.schedule(name, schedule, {}, { tz: 'UTC', missed: 'once' });
    }
  }

  async function workOn<Name extends JobName>(name: Name, handlers: JobHandlers): Promise<void> {
    const options = {
      batchSize: 1,
      localConcurrency: jobOptions[name].concurrency,
      pollingIntervalSeconds: pollSeconds,
      heartbeatRefreshSeconds: heartbeatSeconds / 4,
    };
    await boss.work<Jobs[Name]>(name, options, async ([job]) => {
      if (!job) return;
      await handlers[name](job.data, AbortSignal.any([job.signal, stopping.signal]));
    });
  }
}

function hasHeir(name: JobName): boolean {
  return jobOptions[name].givenUp !== undefined;
}

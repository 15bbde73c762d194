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

/** Our three states of the six that pg-boss has. */
const stateOf = `case state when 'active' then 'active' when 'failed' then 'dead' else 'waiting' end`;
const open = `pgboss.job where state not in ('completed', 'cancelled')`;
const countJobs = `
  select name,
    count(*) filter (where ${stateOf} = 'waiting')::int as waiting,
    count(*) filter (where ${stateOf} = 'active')::int as active,
    count(*) filter (where ${stateOf} = 'dead')::int as dead,
    coalesce(extract(epoch from now() - min(created_on)
      filter (where ${stateOf} = 'waiting' and start_after <= now())), 0)::float8 as oldest
  from ${open} group by name`;
const listJobs = `
  select id, name, ${stateOf} as state, data as payload, created_on as "createdAt",
    coalesce(output->>'message', '') as reason
  from ${open} and name not like '\\_\\_pgboss%' and ${stateOf} = any($1)
  order by created_on desc limit 1000`;
/** PostgreSQL's: of an exclusive job, one waits or runs already. */
const uniqueViolation = '23505';

interface CountRow {
  readonly name: string;
  readonly waiting: number;
  readonly active: number;
  readonly dead: number;
  readonly oldest: number;
}

/** `dead` jobs were given up on. */
export type JobState = 'waiting' | 'active' | 'dead';

export interface JobView {
  readonly id: string;
  readonly name: JobName;
  readonly state: JobState;
  readonly payload: object;
  readonly createdAt: Date;
  /** What the last run ended with; empty when there was none, or it went well. */
  readonly reason: string;
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
   * @param priority of those that wait the highest goes first; of equal ones, the earliest
   */
  enqueue<Name extends JobName>(
    trx: Transaction,
    name: Name,
    payload: Jobs[Name],
    startAfter?: Date,
    priority?: number,
  ): Promise<void>;
  /**
   * Begins to work.
   * @throws RangeError when a job has no handler, or a handler no job
   */
  work(handlers: JobHandlers): Promise<void>;
  /** Every job name, with how many there are. */
  counts(): Promise<JobCount[]>;
  /** Jobs in these states, newest first, not more than a thousand. */
  list(states: readonly JobState[]): Promise<JobView[]>;
  /** Runs a dead job again; false when it is not dead, or another of its kind waits already. */
  retry(job: Pick<JobView, 'id' | 'name'>): Promise<boolean>;
  /** Takes a dead job off the books. */
  forget(job: Pick<JobView, 'id' | 'name'>): Promise<void>;
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
    const { retryLimit, retrySeconds = 1, givenUp, schedule } = jobOptions[name];
    const options = {
      retryLimit,
      retryDelay: retrySeconds,
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
    async enqueue(trx, name, payload, startAfter, priority = 0) {
      const id = await boss.send(name, payload, {
        db: fromKysely(trx),
        priority,
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

    async list(states) {
      const { rows } = await boss.getDb().executeSql(listJobs, [states]);
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

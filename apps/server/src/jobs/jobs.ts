/** Every job there is, with what it carries. Payloads hold ids: what is true is read when it runs. */
export interface Jobs {
  /** Turns an uploaded recording into a transcript. */
  transcribe: { taskId: string };
  /** Closes a task whose job was given up on. */
  'transcribe.given-up': { taskId: string };
  /** Makes a task's summary again from its present transcript. */
  summarize: { taskId: string };
  /** Closes a summary whose job was given up on. */
  'summarize.given-up': { taskId: string };
  /** Deletes objects that nothing points to any more. */
  'delete-objects': { keys: readonly string[] };
  /** Tells a payment service to take no more money through these, and to give these payments back. */
  'undo-payments': {
    provider: 'sandbox' | 'stripe';
    checkouts?: readonly string[];
    subscriptions?: readonly string[];
    payments?: readonly string[];
  };
  /** Renews, ends and expires what is due, and looks after payments whose events got lost. */
  billing: Record<string, never>;
  /** Takes away everything of a closed account. */
  'erase-account': { accountId: string };
  /** Mails what an owner wrote to whoever runs this server. */
  'mail-feedback': { feedbackId: string };
  /** Deletes audio that an account no longer keeps in the cloud. */
  'free-audio': { accountId: string };
  /** Compares every recording with what the store holds of it. */
  'inspect-audio': Record<string, never>;
  /** Deletes what is dead: old tokens, codes, counters, abandoned uploads. */
  housekeeping: Record<string, never>;
}

export type JobName = keyof Jobs;

export interface JobOptions {
  /** Runs again so often after a failure or a killed worker. */
  readonly retryLimit: number;
  /** What it waits before it runs again; a second if absent. */
  readonly retrySeconds?: number;
  /** Which job takes over when it was given up on; it gets the same payload. */
  readonly givenUp?: JobName;
  /** How many of them one worker runs at once. */
  readonly concurrency: number;
  /**
   * When it runs by itself, with an empty payload: a cron expression, in UTC. However many workers
   * there are it runs once, never beside itself; times missed while no worker ran are made up for by
   * one run.
   */
  readonly schedule?: string;
}

export const jobOptions: { readonly [Name in JobName]: JobOptions } = {
  // A killed worker counts as a failure too, and machines restart: the task itself counts the engine's.
  transcribe: { retryLimit: 20, givenUp: 'transcribe.given-up', concurrency: 1 },
  'transcribe.given-up': { retryLimit: 20, concurrency: 1 },
  // Cheap beside hearing; an endpoint that does not answer for so long is down.
  summarize: { retryLimit: 20, givenUp: 'summarize.given-up', concurrency: 1 },
  'summarize.given-up': { retryLimit: 20, concurrency: 1 },
  // These wait for services that may be away for a day.
  'delete-objects': { retryLimit: 2000, retrySeconds: 60, concurrency: 1 },
  'undo-payments': { retryLimit: 2000, retrySeconds: 60, concurrency: 1 },
  'erase-account': { retryLimit: 2000, retrySeconds: 60, concurrency: 1 },
  'mail-feedback': { retryLimit: 2000, retrySeconds: 60, concurrency: 1 },
  billing: { retryLimit: 3, concurrency: 1, schedule: '*/5 * * * *' },
  'free-audio': { retryLimit: 2000, retrySeconds: 60, concurrency: 1 },
  'inspect-audio': { retryLimit: 3, concurrency: 1, schedule: '37 3 * * *' },
  housekeeping: { retryLimit: 3, concurrency: 1, schedule: '7 * * * *' },
};

export type JobHandler<Name extends JobName> = (
  payload: Jobs[Name],
  signal: AbortSignal,
) => Promise<void>;

/** A handler for each job: the compiler refuses a worker that lacks one, and so does the queue. */
export type JobHandlers = { readonly [Name in JobName]: JobHandler<Name> };

/** All jobs with their payloads. A payload contains only IDs, because the job reads the current state when it runs. */
export interface Jobs {
  /** Turns an uploaded recording into a transcript. */
  transcribe: { taskId: string };
  /** Abandons a task after the last retry of its job has failed. */
  'transcribe.given-up': { taskId: string };
  /** Regenerates a task's summary from its current transcript. */
  summarize: { taskId: string };
  /** Abandons a summary after the last retry of its job has failed. */
  'summarize.given-up': { taskId: string };
  /** Lets a language model write the answer to a question. */
  'answer-question': { questionId: string };
  /** Abandons an answer after the last retry of its job has failed. */
  'answer-question.given-up': { questionId: string };
  /** Deletes unreferenced objects. */
  'delete-objects': { keys: readonly string[] };
  /** Closes checkouts, ends subscriptions and refunds payments at a payment service. */
  'undo-payments': {
    provider: 'sandbox' | 'stripe';
    checkouts?: readonly string[];
    subscriptions?: readonly string[];
    payments?: readonly string[];
  };
  /** Processes due renewals and expirations, and rechecks payments in case an event was lost. */
  billing: Record<string, never>;
  /** Erases all data of a closed account. */
  'erase-account': { accountId: string };
  /** Emails a user's feedback to the operator. */
  'mail-feedback': { feedbackId: string };
  /** Sends the due messages of a webhook. `at` is the scheduled start (ISO 8601). */
  'deliver-webhook': { webhookId: string; at: string };
  /** Sends a notification to the push subscription of a session. `at` is the time of the event (ISO 8601). */
  'send-push': { sessionId: string; at: string } & (
    | { kind: 'transcript'; recordingId: string }
    | { kind: 'todos'; day: string }
    | { kind: 'test' }
  );
  /** Emails a notification to an account. `at` is its scheduled time (ISO 8601). */
  'send-mail': { accountId: string; at: string } & (
    | { kind: 'transcript' }
    | { kind: 'todos'; day: string }
  );
  /** Notifies users of to-dos that are due today. */
  'notify-todos': Record<string, never>;
  /** Deletes audio that an account no longer stores in the cloud. */
  'free-audio': { accountId: string };
  /** Compares every recording with its object in the store. */
  'inspect-audio': Record<string, never>;
  /** Imports new audio files from `IMPORT_DIR`. */
  'import-folders': Record<string, never>;
  /** Moves the recordings of retention rules to the recycle bin. */
  'apply-retention': Record<string, never>;
  /** Indexes changed recordings for questions. */
  'index-passages': Record<string, never>;
  /** Computes the vectors of changed recordings, if there is an engine for them. */
  'embed-passages': Record<string, never>;
  /** Queues `update-vault` for outdated vaults. */
  'update-vaults': Record<string, never>;
  /** Updates a vault's files. */
  'update-vault': { vaultId: string };
  /** Deletes expired data: tokens, codes, counters and abandoned uploads. */
  housekeeping: Record<string, never>;
}

export type JobName = keyof Jobs;

export interface JobOptions {
  /** Maximum number of retries after failures or killed workers. */
  readonly retryLimit: number;
  /** Seconds before a retry, by default 1. */
  readonly retrySeconds?: number;
  /** The job that runs after the last retry has failed, with the same payload. */
  readonly givenUp?: JobName;
  /** Maximum number of concurrent jobs per worker. */
  readonly concurrency: number;
  /**
   * Schedule for automatic runs with an empty payload: a cron expression in UTC. Each run happens only once across all
   * workers, and runs never overlap. A single run makes up for all runs missed while no worker was running.
   */
  readonly schedule?: string;
}

export const jobOptions: { readonly [Name in JobName]: JobOptions } = {
  // Killed workers, restarts and unavailable services count as failures here. Engine failures are counted per task.
  transcribe: { retryLimit: 20, givenUp: 'transcribe.given-up', concurrency: 1 },
  'transcribe.given-up': { retryLimit: 20, concurrency: 1 },
  summarize: { retryLimit: 20, givenUp: 'summarize.given-up', concurrency: 1 },
  'summarize.given-up': { retryLimit: 20, concurrency: 1 },
  'answer-question': { retryLimit: 2, givenUp: 'answer-question.given-up', concurrency: 1 },
  'answer-question.given-up': { retryLimit: 20, concurrency: 1 },
  // These jobs depend on services that may be down for a day.
  'delete-objects': { retryLimit: 2000, retrySeconds: 60, concurrency: 1 },
  'undo-payments': { retryLimit: 2000, retrySeconds: 60, concurrency: 1 },
  'erase-account': { retryLimit: 2000, retrySeconds: 60, concurrency: 1 },
  'mail-feedback': { retryLimit: 2000, retrySeconds: 60, concurrency: 1 },
  billing: { retryLimit: 3, concurrency: 1, schedule: '*/5 * * * *' },
  'free-audio': { retryLimit: 2000, retrySeconds: 60, concurrency: 1 },
  'deliver-webhook': { retryLimit: 20, concurrency: 4 },
  // Retries for longer than notifications are valid. Attempts mostly wait for push services, so many can run at once.
  'send-push': { retryLimit: 100, concurrency: 16 },
  'send-mail': { retryLimit: 100, concurrency: 4 },
  'notify-todos': { retryLimit: 3, concurrency: 1, schedule: '*/15 * * * *' },
  'inspect-audio': { retryLimit: 3, concurrency: 1, schedule: '37 3 * * *' },
  'import-folders': { retryLimit: 0, concurrency: 1, schedule: '* * * * *' },
  'apply-retention': { retryLimit: 3, concurrency: 1, schedule: '17 4 * * *' },
  'index-passages': { retryLimit: 0, concurrency: 1, schedule: '* * * * *' },
  'embed-passages': { retryLimit: 0, concurrency: 1, schedule: '* * * * *' },
  'update-vaults': { retryLimit: 0, concurrency: 1, schedule: '* * * * *' },
  // An outdated vault is queued again a minute later.
  'update-vault': { retryLimit: 0, concurrency: 4 },
  housekeeping: { retryLimit: 3, concurrency: 1, schedule: '7 * * * *' },
};

export type JobHandler<Name extends JobName> = (
  payload: Jobs[Name],
  signal: AbortSignal,
) => Promise<void>;

/**
 * Thrown by a handler whose job can't proceed yet, for example because a service is unavailable. The job is retried
 * after minutes instead of immediately, and the worker is free for other jobs until then.
 */
export class JobPostponed extends Error {
  override readonly name = 'JobPostponed';
}

/** One handler per job. Both the compiler and the queue reject a missing handler. */
export type JobHandlers = { readonly [Name in JobName]: JobHandler<Name> };

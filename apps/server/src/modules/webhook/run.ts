/** The runs of jobs that send a webhook's messages. Each webhook has one at a time. */
import type { Database, Row, Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { wake } from './events.ts';

/** Time after which a job without another batch is presumed dead: longer than resolving the name, and than a batch. */
const runMs = 30_000;

/** A job that sends a webhook's messages. */
export interface Run {
  readonly webhookId: string;
  /** Value of the column `running_until`, which only this job has. */
  readonly until: Date;
}

/**
 * Starts to send the webhook's messages. Returns null if it is disabled or deleted, or another job is queued instead of
 * this one or runs. If the other one died, a job follows at the end of its time.
 */
export async function begin(
  trx: Transaction,
  { queue, now }: { readonly queue: Queue; readonly now: () => Date },
  webhookId: string,
  at: Date,
): Promise<{ readonly webhook: Row<'webhooks'>; readonly until: Date } | null> {
  const found = await trx
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', webhookId)
    .where('disabled_at', 'is', null)
    .where((condition) =>
      condition.or([condition('wake_at', 'is', null), condition('wake_at', '=', at)]),
    )
    .forUpdate()
    .executeTakeFirst();
  if (!found) return null;
  if (found.running_until !== null && found.running_until > now()) {
    await wake(trx, queue, { ...found, wake_at: null }, now());
    return null;
  }
  const until = new Date(now().getTime() + runMs);
  const webhook = await trx
    .updateTable('webhooks')
    .set({ wake_at: null, running_until: until })
    .where('id', '=', webhookId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { webhook, until };
}

/** Extends the time of a job. Returns null if another one has begun in its place, or the webhook was deleted. */
export async function renew(
  db: Database,
  webhookId: string,
  until: Date,
  now: Date,
): Promise<Date | null> {
  const renewed = await db
    .updateTable('webhooks')
    .set({ running_until: new Date(now.getTime() + runMs) })
    .where('id', '=', webhookId)
    .where('running_until', '=', until)
    .returning('running_until')
    .executeTakeFirst();
  return renewed?.running_until ?? null;
}

/** Ends a job. Returns the webhook, unless it was disabled or deleted, or another job has begun in its place. */
export async function end(trx: Transaction, { webhookId, until }: Run, pausedUntil: Date | null) {
  const webhook = await trx
    .updateTable('webhooks')
    .set({ running_until: null, paused_until: pausedUntil })
    .where('id', '=', webhookId)
    .where('running_until', '=', until)
    .returning(['id', 'wake_at', 'running_until', 'paused_until', 'disabled_at'])
    .executeTakeFirst();
  return webhook?.disabled_at === null ? webhook : null;
}

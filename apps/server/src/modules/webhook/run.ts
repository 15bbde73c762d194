/** Ensures with a lease that each webhook has at most one running job. */
import type { Database, Row, Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { wake } from './events.ts';

/** Job lease, in milliseconds. Renewed before each batch, so it must be longer than a batch and a DNS lookup. */
const runMs = 30_000;

/** A running job, which holds the lease of a webhook. */
export interface Run {
  readonly webhookId: string;
  /** Expiry of the lease (column `running_until`). Also identifies this job. */
  readonly until: Date;
}

/**
 * Acquires the webhook's lease. Returns null if the webhook is disabled or deleted, another job was queued instead of
 * this job, or another job is running. In case the running job has died, enqueues a job for when its lease expires.
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
  const runUntil = new Date(now().getTime() + runMs);
  const webhook = await trx
    .updateTable('webhooks')
    .set({ wake_at: null, running_until: runUntil })
    .where('id', '=', webhookId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { webhook, until: runUntil };
}

/** Renews the lease. Returns null if another job has taken it, or the webhook was deleted. */
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

/**
 * Releases the lease. Returns the webhook, or null if it was disabled or deleted, or another job has taken the lease.
 */
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

/** Records events for webhooks, in the same transaction as the change itself. */
import { limits } from '@linnet/contract/limits';
import type { WebhookEvent } from '@linnet/contract/webhooks';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { NewRow, Row, Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { editMaxMs, editQuietMs } from './schedule.ts';

export interface RecordDependencies {
  readonly queue: Queue;
  readonly now: () => Date;
}

/** An event about a recording. */
export interface RecordingEvent {
  readonly type: WebhookEvent;
  readonly recordingId: string;
  readonly clientFlag: string;
}

/** A webhook with the columns that determine when its next job starts. */
type Sleeper = Pick<Row<'webhooks'>, 'id' | 'wake_at' | 'running_until' | 'paused_until'>;
type Listener = Sleeper & Pick<Row<'webhooks'>, 'events'>;

/** Rows per INSERT statement. PostgreSQL allows at most 65,535 parameters per statement. */
const rowsPerInsert = 1000;

/**
 * Records events about an account's recordings for its webhooks. Without webhooks, this costs a single index lookup.
 * Edits are debounced: further edits of a recording only postpone a delivery that isn't due yet. The transaction must
 * already hold the account's lock.
 */
export async function recordWebhookEvents(
  trx: Transaction,
  { queue, now }: RecordDependencies,
  accountId: string,
  events: readonly RecordingEvent[],
): Promise<void> {
  if (events.length === 0) return;
  // The lock makes a worker that is about to finish wait, so it sees the new deliveries.
  const webhooks = await trx
    .selectFrom('webhooks')
    .select(['id', 'events', 'wake_at', 'running_until', 'paused_until'])
    .where('account_id', '=', accountId)
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const webhook of webhooks) {
    const subscribed = events.filter(({ type }) => webhook.events.includes(type));
    if (subscribed.length > 0) await addDeliveries(trx, queue, webhook, subscribed, now());
  }
}

async function addDeliveries(
  trx: Transaction,
  queue: Queue,
  webhook: Listener,
  events: readonly RecordingEvent[],
  now: Date,
): Promise<void> {
  const deletions = events.filter(({ type }) => type === 'recording.deleted');
  if (deletions.length > 0) {
    // A deleted recording can no longer be read, so drop its unsent edits.
    await trx
      .deleteFrom('webhook_deliveries')
      .where('webhook_id', '=', webhook.id)
      .where('gathers', '=', true)
      .where(
        'recording_id',
        '=',
        sql<string>`any(${deletions.map(({ recordingId }) => recordingId)}::uuid[])`,
      )
      .execute();
  }
  const free = limits.webhooks.waiting - (await countWaiting(trx, webhook.id));
  const rows = events.map((event, index) => toRow(webhook.id, event, index < free, now));
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    await trx
      .insertInto('webhook_deliveries')
      .values(rows.slice(start, start + rowsPerInsert))
      .onConflict((conflict) =>
        conflict
          .columns(['webhook_id', 'recording_id'])
          .where('gathers', '=', true)
          .doUpdateSet({
            occurred_at: now,
            due_at: sql<Date>`least(excluded.due_at, webhook_deliveries.created_at + ${editMaxMs} * interval '1 ms')`,
          }),
      )
      .execute();
  }
  const dueTimes = rows.flatMap(({ due_at: time }) => (time === null ? [] : [time.getTime()]));
  if (dueTimes.length > 0) await wake(trx, queue, webhook, new Date(Math.min(...dueTimes)));
}

function toRow(webhookId: string, event: RecordingEvent, isAccepted: boolean, now: Date) {
  const gathers = isAccepted && event.type === 'recording.edited';
  const row = {
    id: uuidv7(),
    webhook_id: webhookId,
    type: event.type,
    recording_id: event.recordingId,
    client_flag: event.clientFlag,
    occurred_at: now,
    created_at: now,
    gathers,
  };
  const outcome = isAccepted
    ? { status: 'waiting' as const, due_at: gathers ? new Date(now.getTime() + editQuietMs) : now }
    : { status: 'failed' as const, due_at: null, failure: 'full' as const };
  return { failure: null, ...row, ...outcome } satisfies NewRow<'webhook_deliveries'>;
}

/** Counts a webhook's waiting deliveries. Stops counting at the limit. */
async function countWaiting(trx: Transaction, webhookId: string): Promise<number> {
  const waiting = trx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'waiting')
    .limit(limits.webhooks.waiting);
  const { count } = await trx
    .selectFrom(waiting.as('waiting'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Enqueues a job that sends the webhook's deliveries, unless a job that starts early enough is already queued. The
 * transaction must already hold the webhook's lock, and `webhook` must be its current row.
 * @param dueAt when the deliveries are due. The job starts later if the webhook is paused or another job is running.
 *   That job enqueues the next job when it finishes
 */
export async function wake(
  trx: Transaction,
  queue: Queue,
  webhook: Sleeper,
  dueAt: Date,
): Promise<void> {
  const { paused_until: paused, running_until: running } = webhook;
  const wakesAt = new Date(
    Math.max(dueAt.getTime(), paused?.getTime() ?? 0, running?.getTime() ?? 0),
  );
  if (webhook.wake_at !== null && webhook.wake_at <= wakesAt) return;
  await trx
    .updateTable('webhooks')
    .set({ wake_at: wakesAt })
    .where('id', '=', webhook.id)
    .execute();
  const payload = { webhookId: webhook.id, at: wakesAt.toISOString() };
  await queue.enqueue(trx, 'deliver-webhook', payload, wakesAt);
}

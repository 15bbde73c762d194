/** Maintenance of webhooks, run by housekeeping. */
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { dayMs } from '../../calendar.ts';
import type { Database } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { wake } from './events.ts';

/** Time after which the job of a due delivery is considered lost, in milliseconds. */
const forgottenMs = 15 * 60_000;

/**
 * Deletes finished deliveries that are too old or exceed the limit per webhook. Keeps waiting deliveries. Returns the
 * number of deleted deliveries.
 */
export async function deleteOldDeliveries(db: Database, now: Date): Promise<number> {
  const { deliveries, deliveryDays } = limits.webhooks;
  const oldestDate = new Date(now.getTime() - deliveryDays * dayMs);
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries using (
      select id, row_number() over (partition by webhook_id order by id desc) as place
      from webhook_deliveries where status <> 'waiting'
    ) as ended
    where webhook_deliveries.id = ended.id
      and (place > ${deliveries} or webhook_deliveries.created_at <= ${oldestDate})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Enqueues jobs for webhooks with overdue deliveries whose job was lost. Returns the number of webhooks. */
export async function wakeOverdue(db: Database, queue: Queue, now: Date): Promise<number> {
  const overdueBefore = new Date(now.getTime() - forgottenMs);
  const rows = await db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
    .select('webhook_id')
    .distinct()
    .where('webhook_deliveries.status', '=', 'waiting')
    .where('due_at', '<=', overdueBefore)
    .where('disabled_at', 'is', null)
    .where((condition) =>
      condition.or([condition('wake_at', 'is', null), condition('wake_at', '<=', overdueBefore)]),
    )
    .execute();
  for (const { webhook_id: id } of rows) {
    await db.transaction().execute(async (trx) => {
      const webhook = await trx
        .selectFrom('webhooks')
        .select(['id', 'running_until'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (webhook) await wake(trx, queue, { ...webhook, wake_at: null, paused_until: null }, now);
    });
  }
  return rows.length;
}

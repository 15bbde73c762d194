import { sql } from 'kysely';
import type { TodoLookups } from '../push/due-todos.ts';

/** Looks up due to-dos for the accounts that receive emails. */
export const mailLookups: TodoLookups = {
  by: 'mail',

  async due(db, time, limit) {
    const rows = await db
      .selectFrom('notification_mails')
      .select('account_id')
      .where('todos_at', '<=', time)
      .orderBy('todos_at')
      .limit(limit)
      .execute();
    return rows.map(({ account_id: id }) => id);
  },

  lock: (trx, id, time) =>
    trx
      .selectFrom('notification_mails')
      .select(['account_id', 'time_zone', 'todos_day', sql<boolean>`true`.as('is_active')])
      .where('account_id', '=', id)
      .where('todos_at', '<=', time)
      .forUpdate()
      .executeTakeFirst(),

  async set(queries, id, time, values) {
    await queries
      .updateTable('notification_mails')
      .set(values)
      .where('account_id', '=', id)
      .where('todos_at', '<=', time)
      .execute();
  },

  request: (queue, trx, id, event) =>
    queue.enqueue(trx, 'send-mail', { kind: 'todos', accountId: id, ...event }),
};

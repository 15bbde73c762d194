import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { TodoLookups } from './due-todos.ts';

/** Selects the subscriptions of active sessions. */
export const activeSubscriptions = (queries: Queries) =>
  queries
    .selectFrom('push_subscriptions')
    .innerJoin('sessions', 'sessions.id', 'push_subscriptions.session_id')
    .where('revoked_at', 'is', null);

/** Length of a topic in characters (RFC 8030, 5.4). */
const topicLength = 32;

/**
 * Returns the topic that makes notifications replace one another, at the push service and on the screen. It is a
 * digest, so the push service learns nothing from it.
 */
export const createTopic = (accountId: string, subject: string): string =>
  createHash('sha256').update(`${accountId} ${subject}`).digest('base64url').slice(0, topicLength);

/** Looks up due to-dos for the subscriptions. */
export const pushLookups: TodoLookups = {
  by: 'push',

  async due(db, time, limit) {
    const rows = await db
      .selectFrom('push_subscriptions')
      .select('session_id')
      .where('todos_at', '<=', time)
      .orderBy('todos_at')
      .limit(limit)
      .execute();
    return rows.map(({ session_id: id }) => id);
  },

  lock: (trx, id, time) =>
    trx
      .selectFrom('push_subscriptions')
      .innerJoin('sessions', 'sessions.id', 'push_subscriptions.session_id')
      .select(['push_subscriptions.account_id', 'time_zone', 'todos_day'])
      .select(sql<boolean>`revoked_at is null`.as('is_active'))
      .where('session_id', '=', id)
      .where('todos_at', '<=', time)
      .forUpdate('push_subscriptions')
      .executeTakeFirst(),

  async set(queries, id, time, values) {
    await queries
      .updateTable('push_subscriptions')
      .set(values)
      .where('session_id', '=', id)
      .where('todos_at', '<=', time)
      .execute();
  },

  request: (queue, trx, id, event) =>
    queue.enqueue(trx, 'send-push', { kind: 'todos', sessionId: id, ...event }),
};

import { createHash } from 'node:crypto';
import type { Queries } from '../../db/database.ts';

/** The subscriptions of sessions that haven't ended. */
export const activeSubscriptions = (queries: Queries) =>
  queries
    .selectFrom('push_subscriptions')
    .innerJoin('sessions', 'sessions.id', 'push_subscriptions.session_id')
    .where('revoked_at', 'is', null);

/** Number of characters of a topic (RFC 8030, 5.4). */
const topicLength = 32;

/**
 * Returns the topic of notifications that replace each other, at the push service and on the screen. It is a digest, so
 * that the push service learns nothing from it.
 */
export const topicOf = (accountId: string, subject: string): string =>
  createHash('sha256').update(`${accountId} ${subject}`).digest('base64url').slice(0, topicLength);

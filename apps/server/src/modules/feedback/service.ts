import type { CallInput } from '@linnet/contract';
import { v7 as uuidv7 } from 'uuid';
import { nextRevision } from '../../db/database.ts';
import type { Limit, RateLimiter } from '../../http/rate-limit.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { IssuedParts } from '../upload/issued.ts';
import { storedObject } from '../upload/issued.ts';

/** Somebody who has more to say is heard an hour later. */
const feedbackPerAccount: Limit = { name: 'feedback', count: 10, seconds: 3600 };

export interface FeedbackParts extends IssuedParts {
  readonly queue: Queue;
  readonly limiter: RateLimiter;
  readonly now: () => Date;
}

/**
 * Keeps what an owner wrote, and has it mailed to whoever runs this server.
 * @throws CallError tooManyRequests; keyNotIssued, objectMissing, tooLarge for a log that is not there
 */
export type GiveFeedback = (
  accountId: string,
  body: CallInput<'user/feedback'>,
) => Promise<{ id: string }>;

export function createFeedback(parts: FeedbackParts): GiveFeedback {
  const { db, queue, limiter, now } = parts;
  return async (accountId, { content, contact, log_url: url }) => {
    await limiter.take(feedbackPerAccount, accountId);
    const log = url === undefined ? null : await storedObject(parts, accountId, url, 'log');
    const id = uuidv7();
    await db.transaction().execute(async (trx) => {
      await nextRevision(trx, accountId);
      await trx
        .insertInto('feedback')
        .values({
          id,
          account_id: accountId,
          content,
          contact,
          log_key: log?.key ?? null,
          created_at: now(),
        })
        .execute();
      await queue.enqueue(trx, 'mail-feedback', { feedbackId: id });
    });
    return { id };
  };
}

import type { CallInput } from '@linnet/contract';
import { v7 as uuidv7 } from 'uuid';
import type { NewRow, Transaction } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import type { Limit, RateLimiter } from '../../http/rate-limit.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { StoredObjectDependencies } from '../upload/grant-queries.ts';
import { findStoredObject } from '../upload/grant-queries.ts';

/** Rate limit per account. */
const feedbackPerAccount: Limit = { name: 'feedback', count: 10, seconds: 3600 };
/** Rate limit per network for signed-out users. */
const feedbackPerNetwork: Limit = { name: 'visitor-feedback', count: 10, seconds: 3600 };
/**
 * Rate limit for all signed-out users together. Every entry is stored (up to 600 kB) and emailed, so this protects the
 * database and the operator's mailbox from a sender who uses many networks.
 */
const feedbackSignedOut: Limit = { name: 'visitors-feedback', count: 100, seconds: 6 * 3600 };

export interface FeedbackDependencies extends StoredObjectDependencies {
  readonly queue: Queue;
  readonly limiter: RateLimiter;
  readonly now: () => Date;
}

/** Stores feedback and enqueues an email to the operator. */
export interface Feedback {
  /**
   * Stores a signed-in user's feedback.
   * @throws CallError tooManyRequests; keyNotIssued, objectMissing, tooLarge if the uploaded log is invalid
   */
  submit(accountId: string, body: CallInput<'user/feedback'>): Promise<{ id: string }>;
  /**
   * Stores a signed-out user's feedback.
   * @param network the sender's network
   * @throws CallError tooManyRequests
   */
  submitSignedOut(network: string, body: CallInput<'site/feedback'>): Promise<{ id: string }>;
}

export function createFeedback(deps: FeedbackDependencies): Feedback {
  const { db, queue, limiter, now } = deps;

  async function store(
    trx: Transaction,
    body: CallInput<'site/feedback'>,
    origin: Pick<NewRow<'feedback'>, 'account_id' | 'log_key'>,
  ): Promise<{ id: string }> {
    const id = uuidv7();
    const { kind, content, contact, log } = body;
    await trx
      .insertInto('feedback')
      .values({ ...origin, id, kind, content, contact, log, created_at: now() })
      .execute();
    await queue.enqueue(trx, 'mail-feedback', { feedbackId: id });
    return { id };
  }

  return {
    async submit(accountId, body) {
      await limiter.take(feedbackPerAccount, accountId);
      const { log_url: url } = body;
      const log = url === undefined ? null : await findStoredObject(deps, accountId, url, 'log');
      return db.transaction().execute(async (trx) => {
        await nextRevision(trx, accountId);
        return store(trx, body, { account_id: accountId, log_key: log?.key ?? null });
      });
    },

    async submitSignedOut(network, body) {
      await limiter.take(feedbackPerNetwork, network);
      await limiter.take(feedbackSignedOut, 'all');
      return db
        .transaction()
        .execute((trx) => store(trx, body, { account_id: null, log_key: null }));
    },
  };
}

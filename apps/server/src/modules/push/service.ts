import { ECDH } from 'node:crypto';
import type { CallData, CallInput } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { notificationTest } from '@linnet/contract/notifications';
import { type Database, lockAccount, type Row, type Transaction } from '../../db/database.ts';
import { withTimeout } from '../../deadline.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Caller } from '../user/access.ts';
import { findDestination, parseUrl, type Resolve, urlProblems } from '../webhook/destination.ts';
import { nextLookup } from './due-todos.ts';
import { activeSubscriptions } from './subscriptions.ts';

/** Registers and deletes a session's push subscription. */
export interface Push {
  /** Returns the server's key and the session's subscription. */
  get(session: Session): Promise<CallData<'push/get'>>;
  /**
   * Registers the subscription, replacing an earlier subscription of the session. If another session has a subscription
   * with the same URL, deletes it, so that a browser is notified for only one account.
   * @throws CallError badRequest if the URL or the keys aren't accepted; limitReached
   */
  subscribe(
    session: Session,
    body: CallInput<'push/subscribe'>,
  ): Promise<CallData<'push/subscribe'>>;
  unsubscribe(session: Session): Promise<void>;
  /** @throws CallError notFound without a subscription */
  test(session: Session): Promise<void>;
}

type Session = Pick<Caller, 'accountId' | 'sessionId'>;

export interface PushDependencies {
  readonly db: Database;
  readonly queue: Queue;
  /** The server's VAPID key in base64url. */
  readonly publicKey: string;
  readonly resolve: Resolve;
  readonly allowsPrivate: boolean;
  readonly now: () => Date;
}

/** Timeout for resolving a host name, in milliseconds. Each notification resolves the name again. */
const resolveTimeoutMs = 3000;

export function createPush(deps: PushDependencies): Push {
  const { db, queue, publicKey, resolve, allowsPrivate, now } = deps;

  /**
   * Validates a URL and returns it in normalized form. Accepts a host name that can't be resolved now.
   * @throws CallError badRequest
   */
  async function acceptEndpoint(text: string): Promise<string> {
    const url = parseUrl(text, allowsPrivate);
    if (!(url instanceof URL)) throw new CallError('badRequest', `endpoint: ${urlProblems[url]}`);
    const destination = await withTimeout(
      resolveTimeoutMs,
      findDestination(url, resolve, allowsPrivate),
    ).catch(() => null);
    if (destination && 'failure' in destination && destination.failure === 'forbidden') {
      throw new CallError('badRequest', 'endpoint: must not be on a private network');
    }
    return url.href;
  }

  /** @throws CallError limitReached */
  async function requireBelowLimit(
    trx: Transaction,
    { accountId, sessionId }: Session,
  ): Promise<void> {
    const { count } = await activeSubscriptions(trx)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('push_subscriptions.account_id', '=', accountId)
      .where('session_id', '!=', sessionId)
      .executeTakeFirstOrThrow();
    if (count < limits.push.count) return;
    throw new CallError(
      'limitReached',
      `An account can have at most ${limits.push.count} subscriptions.`,
    );
  }

  const find = ({ sessionId }: Session) =>
    db
      .selectFrom('push_subscriptions')
      .selectAll()
      .where('session_id', '=', sessionId)
      .executeTakeFirst();

  return {
    async get(session) {
      const row = await find(session);
      return { public_key: publicKey, subscription: row ? toSubscription(row) : null };
    },

    async subscribe(session, { endpoint, keys, events, shows_titles, time_zone }) {
      requirePoint(keys.p256dh);
      const href = await acceptEndpoint(endpoint);
      const { accountId, sessionId } = session;
      return db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        await requireBelowLimit(trx, session);
        await trx
          .deleteFrom('push_subscriptions')
          .where('endpoint', '=', href)
          .where('session_id', '!=', sessionId)
          .execute();
        const previous = await trx
          .selectFrom('push_subscriptions')
          .select(['time_zone', 'todos_at', 'todos_day'])
          .where('session_id', '=', sessionId)
          .executeTakeFirst();
        const values = {
          ...{ endpoint: href, ...keys, shows_titles, time_zone, created_at: now() },
          failing_since: null,
          events: JSON.stringify(events),
          todos_at: events.includes('todos') ? nextLookup(now(), time_zone, previous) : null,
        };
        const row = await trx
          .insertInto('push_subscriptions')
          .values({ session_id: sessionId, account_id: accountId, ...values })
          .onConflict((conflict) => conflict.column('session_id').doUpdateSet(values))
          .returningAll()
          .executeTakeFirstOrThrow();
        return toSubscription(row);
      });
    },

    async unsubscribe({ sessionId }) {
      await db.deleteFrom('push_subscriptions').where('session_id', '=', sessionId).execute();
    },

    async test(session) {
      if (!(await find(session))) throw new CallError('notFound');
      const { sessionId } = session;
      const job = { kind: notificationTest, sessionId, at: now().toISOString() } as const;
      await db.transaction().execute((trx) => queue.enqueue(trx, 'send-push', job));
    },
  };
}

/** @throws CallError badRequest unless the key is a point on the P-256 curve, which encryption requires */
function requirePoint(p256dh: string): void {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url');
  } catch {
    // OpenSSL's error only says that the point isn't on the curve.
    throw new CallError('badRequest', 'keys.p256dh: not a point on the P-256 curve');
  }
}

function toSubscription(row: Row<'push_subscriptions'>): CallData<'push/subscribe'> {
  const { endpoint, events, shows_titles, time_zone } = row;
  return { endpoint, events, shows_titles, time_zone, created_at: row.created_at.toISOString() };
}

import { randomBytes } from 'node:crypto';
import type { CallData, CallInput } from '@linnet/contract';
import { keyPrefix } from '@linnet/contract/key-scopes';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { dayMs } from '../../calendar.ts';
import { type Database, lockAccount, type Queries } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import { hashKey, isUnexpired } from './authenticate.ts';

/** Creates, lists and revokes the API keys of an account. */
export interface ApiKeys {
  /**
   * Creates a key and returns it. The key can't be retrieved later.
   * @throws CallError limitReached
   */
  create(accountId: string, body: CallInput<'user/createKey'>): Promise<CallData<'user/createKey'>>;
  /** Lists the valid keys, newest first. */
  list(accountId: string): Promise<CallData<'user/keys'>>;
  /**
   * Revokes a key.
   * @throws CallError notFound
   */
  revoke(accountId: string, id: string): Promise<void>;
}

export function createApiKeys(db: Database, now: () => Date): ApiKeys {
  const validKeys = (queries: Queries, accountId: string) =>
    queries
      .selectFrom('api_keys')
      .innerJoin('sessions', 'sessions.id', 'api_keys.session_id')
      .select(['id', 'device', 'scopes', 'created_at', 'last_used_at', 'expires_at'])
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .where(isUnexpired(now()))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc');

  return {
    async create(accountId, { name, scopes, expires_days: days }) {
      const id = uuidv7();
      const key = `${keyPrefix}${randomBytes(32).toString('base64url')}`;
      await db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        if ((await validKeys(trx, accountId).execute()).length >= limits.keys.count) {
          throw new CallError(
            'limitReached',
            `An account can have at most ${limits.keys.count} API keys. Revoke a key first.`,
          );
        }
        const times = { created_at: now(), last_seen_at: now() };
        await trx
          .insertInto('sessions')
          .values({ id, account_id: accountId, device: name, ...times })
          .execute();
        await trx
          .insertInto('api_keys')
          .values({
            session_id: id,
            hash: hashKey(key),
            scopes: JSON.stringify(scopes),
            expires_at: days === undefined ? null : new Date(now().getTime() + days * dayMs),
          })
          .execute();
      });
      return { id, key };
    },

    async list(accountId) {
      const rows = await validKeys(db, accountId).execute();
      return {
        list: rows.map(({ device: name, created_at, last_used_at, expires_at, ...row }) => ({
          ...row,
          name,
          created_at: created_at.toISOString(),
          last_used_at: last_used_at?.toISOString() ?? null,
          expires_at: expires_at?.toISOString() ?? null,
        })),
      };
    },

    async revoke(accountId, id) {
      const revoked = await db
        .updateTable('sessions')
        .set({ revoked_at: now() })
        .where(sql`id::text`, '=', id)
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .where('id', 'in', (query) => query.selectFrom('api_keys').select('session_id'))
        .returning('id')
        .executeTakeFirst();
      if (!revoked) throw new CallError('notFound');
    },
  };
}

import { createHash } from 'node:crypto';
import { keyPrefix } from '@linnet/contract/key-scopes';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { Caller, RequiredScope } from '../user/access.ts';

/** Precision of a key's time of last use, in milliseconds. It is updated only if it is older than this. */
const useMs = 60_000;

/** SQL condition that excludes expired keys. */
export const isUnexpired = (now: Date) =>
  sql<boolean>`(api_keys.expires_at is null or api_keys.expires_at > ${now})`;

/** Returns whether a token has the format of an API key. */
export const isApiKey = (token: string) => keyPattern.test(token);
const keyPattern = new RegExp(`^${keyPrefix}[\\w-]{43}$`);

/** Returns the hash that is stored for a key. A fast hash is sufficient, because keys have 256 random bits. */
export const hashKey = (key: string) => createHash('sha256').update(key).digest();

/**
 * Returns the account of an API key, and updates the key's time of last use.
 * @throws CallError tokenInvalid if the key is unknown, expired or revoked; keyNotAllowed if it lacks the scope
 */
export async function authenticateKey(
  db: Database,
  key: string,
  scope: RequiredScope,
  now: Date,
): Promise<Caller> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('sessions', 'sessions.id', 'api_keys.session_id')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['session_id', 'scopes', 'last_used_at'])
    .selectAll('accounts')
    .where('hash', '=', hashKey(key))
    .where('sessions.revoked_at', 'is', null)
    .where(isUnexpired(now))
    .executeTakeFirst();
  if (!row) throw new CallError('tokenInvalid');
  const { session_id: id, scopes, last_used_at: lastUsed, ...account } = row;
  if (scope === 'session')
    throw new CallError('keyNotAllowed', 'This call does not accept API keys.');
  if (!scopes.includes(scope)) {
    throw new CallError(
      'keyNotAllowed',
      `This call requires an API key with the scope "${scope}".`,
    );
  }
  if (lastUsed === null || now.getTime() - lastUsed.getTime() > useMs) {
    await db
      .updateTable('api_keys')
      .set({ last_used_at: now })
      .where('session_id', '=', id)
      .execute();
  }
  return { accountId: account.id, sessionId: id, keyId: id, scopes, account };
}

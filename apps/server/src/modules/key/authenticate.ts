import { createHash } from 'node:crypto';
import { keyPrefix } from '@linnet/contract/key-scopes';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { Caller, RequiredScope } from '../user/access.ts';

/** How old the time of a key's last use may be before it is written again. */
const useMs = 60_000;

/** A condition that excludes expired keys. */
export const isUnexpired = (now: Date) =>
  sql<boolean>`(api_keys.expires_at is null or api_keys.expires_at > ${now})`;

/** True if a token has the form of an API key. */
export const isApiKey = (token: string) => keyPattern.test(token);
const keyPattern = new RegExp(`^${keyPrefix}[\\w-]{43}$`);

/** Returns the hash under which a key is stored. Keys have 256 random bits, so that a fast hash is sufficient. */
export const hashOfKey = (key: string) => createHash('sha256').update(key).digest();

/**
 * Returns the account of an API key, and writes that the key was used.
 * @throws CallError tokenInvalid if the key is unknown, expired or revoked; keyNotAllowed if it lacks the scope
 */
export async function authenticateKey(
  db: Database,
  key: string,
  scope: RequiredScope,
  now: Date,
): Promise<Caller> {
  const found = await db
    .selectFrom('api_keys')
    .innerJoin('sessions', 'sessions.id', 'api_keys.session_id')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['session_id', 'scopes', 'last_used_at'])
    .selectAll('accounts')
    .where('hash', '=', hashOfKey(key))
    .where('sessions.revoked_at', 'is', null)
    .where(isUnexpired(now))
    .executeTakeFirst();
  if (!found) throw new CallError('tokenInvalid');
  const { session_id: id, scopes, last_used_at: lastUsed, ...account } = found;
  if (scope === 'session') throw new CallError('keyNotAllowed', 'This call accepts no API key.');
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

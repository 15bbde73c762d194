import { createHash } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { Caller, RequiredScope } from '../user/access.ts';

/** How old the time of a key's last use may be before it is written again. */
const useMs = 60_000;

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
    .select(['session_id', 'account_id', 'scopes', 'last_used_at'])
    .where('hash', '=', hashOfKey(key))
    .where('sessions.revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirst();
  if (!found) throw new CallError('tokenInvalid');
  const { session_id: id, account_id: accountId, scopes, last_used_at: lastUsed } = found;
  if (scope === 'session') throw new CallError('keyNotAllowed', 'This call accepts no API key.');
  if (!scopes.includes(scope)) {
    throw new CallError(
      'keyNotAllowed',
      `This call requires an API key with the scope "${scope}".`,
    );
  }
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!account) throw new CallError('tokenInvalid');
  if (lastUsed === null || now.getTime() - lastUsed.getTime() > useMs) {
    await db
      .updateTable('api_keys')
      .set({ last_used_at: now })
      .where('session_id', '=', id)
      .execute();
  }
  return { accountId, sessionId: id, keyId: id, scopes, account };
}

import { createHash, randomBytes } from 'node:crypto';
import type { Tokens } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { v7 as uuidv7 } from 'uuid';
import { dayMs } from '../../calendar.ts';
import type { Database, Queries, Row } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import { hmac } from '../../secrets.ts';
import type { Access } from './access.ts';
import { accessTokenSeconds } from './access.ts';

/** A phone that is not opened for so long signs in again. */
const refreshTokenDays = 90;

export interface Sessions {
  /**
   * Starts a session: what signing in yields.
   * @param account as it was when its password was found right
   * @throws CallError wrongCredentials when it was closed, or its password changed, since then
   */
  open(account: Pick<Row<'accounts'>, 'id' | 'password_hash'>): Promise<Tokens>;
  /**
   * Trades a refresh token for the next one. A reply that got lost must not sign anyone out: used
   * again within the grace time, a token yields the same successor; after it, the session is over.
   * @throws CallError tokenInvalid
   */
  refresh(token: string): Promise<Tokens>;
  /** Ends every session of an account, or every other one. */
  revokeAll(queries: Queries, accountId: string, keep?: { except: string }): Promise<void>;
}

export function createSessions(
  db: Database,
  key: Uint8Array,
  access: Access,
  now: () => Date,
): Sessions {
  const expiry = () => new Date(now().getTime() + refreshTokenDays * dayMs);
  /** The successor follows from the token, so that it needs not be stored to be given twice. */
  const successorOf = (token: string) => hmac(key, token).toString('base64url');

  async function tokens(accountId: string, sessionId: string, refresh: string): Promise<Tokens> {
    return {
      token_type: 'Bearer',
      access_token: access.sign(accountId, sessionId),
      refresh_token: refresh,
      expires_in: accessTokenSeconds,
    };
  }

  return {
    async open({ id: accountId, password_hash: passwordHash }) {
      const id = uuidv7();
      const token = randomBytes(32).toString('base64url');
      await db.transaction().execute(async (trx) => {
        // Waits for whoever changes the password now, and would miss this session when ending the others.
        const same = await trx
          .selectFrom('accounts')
          .select('id')
          .where('id', '=', accountId)
          .where('password_hash', '=', passwordHash)
          .where('closed_at', 'is', null)
          .forShare()
          .executeTakeFirst();
        if (!same) throw new CallError('wrongCredentials');
        await trx
          .insertInto('sessions')
          .values({ id, account_id: accountId, created_at: now() })
          .execute();
        await trx
          .insertInto('refresh_tokens')
          .values({ hash: hashOf(token), session_id: id, created_at: now(), expires_at: expiry() })
          .execute();
      });
      return tokens(accountId, id, token);
    },

    async refresh(token) {
      const session = await db.transaction().execute(async (trx) => {
        const found = await trx
          .selectFrom('refresh_tokens')
          .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
          .select(['sessions.id', 'account_id', 'used_at', 'expires_at', 'revoked_at'])
          .where('hash', '=', hashOf(token))
          .forUpdate()
          .executeTakeFirst();
        if (!found || found.revoked_at !== null || found.expires_at <= now()) return null;
        if (found.used_at === null) {
          await trx
            .updateTable('refresh_tokens')
            .set({ used_at: now() })
            .where('hash', '=', hashOf(token))
            .execute();
          await trx
            .insertInto('refresh_tokens')
            .values({
              hash: hashOf(successorOf(token)),
              session_id: found.id,
              created_at: now(),
              expires_at: expiry(),
            })
            .execute();
          return found;
        }
        const age = now().getTime() - found.used_at.getTime();
        if (age <= limits.refreshGraceSeconds * 1000) return found;
        // Somebody holds a token that was traded long ago: nobody keeps this session.
        await trx
          .updateTable('sessions')
          .set({ revoked_at: now() })
          .where('id', '=', found.id)
          .execute();
        return null;
      });
      if (!session) throw new CallError('tokenInvalid');
      return tokens(session.account_id, session.id, successorOf(token));
    },

    async revokeAll(queries, accountId, keep) {
      await queries
        .updateTable('sessions')
        .set({ revoked_at: now() })
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .$if(keep !== undefined, (query) => query.where('id', '!=', keep?.except ?? ''))
        .execute();
    },
  };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

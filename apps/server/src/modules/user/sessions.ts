import { createHash, randomBytes } from 'node:crypto';
import type { Session, Tokens } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { dayMs } from '../../calendar.ts';
import type { Database, Queries, Row, Transaction } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import { hmac } from '../../secrets.ts';
import type { Access } from './access.ts';
import { accessTokenSeconds } from './access.ts';

/** Days without activity after which a user has to sign in again. */
const refreshTokenDays = 90;

/** Opens, refreshes and revokes accounts' sessions. */
export interface Sessions {
  /**
   * Starts a session.
   * @param account the row, read when the password was verified
   * @param device the device's display name
   * @throws CallError wrongCredentials if the account has since been closed or its password changed
   */
  open(account: Pick<Row<'accounts'>, 'id' | 'password_hash'>, device: string): Promise<Tokens>;
  /**
   * Exchanges a refresh token for its successor. If a token is used a second time:
   * - within the grace period, the same successor is returned, so that a lost response doesn't sign the user out;
   * - later, while the successor is still unused, the successor is voided and a new one is returned. If the token was
   *   stolen, either the phone or the thief is left with the voided token;
   * - later, after the successor has been used, the session is revoked. Using a voided token also revokes the session.
   * @throws CallError tokenInvalid
   */
  refresh(token: string): Promise<Tokens>;
  /** Revokes all of an account's sessions, optionally with one exception. */
  revokeAll(queries: Queries, accountId: string, options?: { except: string }): Promise<void>;
  /**
   * Revokes one of an account's sessions.
   * @throws CallError notFound
   */
  revoke(accountId: string, sessionId: string): Promise<void>;
  /** Lists an account's active sessions, most recently used first. */
  list(accountId: string, current: string): Promise<Session[]>;
}

export function createSessions(
  db: Database,
  key: Uint8Array,
  access: Access,
  now: () => Date,
): Sessions {
  const expiry = () => new Date(now().getTime() + refreshTokenDays * dayMs);
  /** Derives a token's successor. Because it is derived, it can be returned repeatedly without being stored. */
  const createSuccessor = (token: string, renewals = 0) =>
    hmac(key, renewals === 0 ? token : `${renewals} ${token}`).toString('base64url');

  async function tokens(accountId: string, sessionId: string, refresh: string): Promise<Tokens> {
    return {
      token_type: 'Bearer',
      access_token: access.sign(accountId, sessionId),
      refresh_token: refresh,
      expires_in: accessTokenSeconds,
    };
  }

  /** Marks a token as exchanged and stores its successor's hash. */
  async function supersede(
    trx: Transaction,
    sessionId: string,
    token: string,
    renewals: number,
  ): Promise<void> {
    await trx
      .updateTable('refresh_tokens')
      .set({ used_at: now(), renewals })
      .where('hash', '=', hashToken(token))
      .execute();
    await trx
      .insertInto('refresh_tokens')
      .values({
        hash: hashToken(createSuccessor(token, renewals)),
        session_id: sessionId,
        created_at: now(),
        expires_at: expiry(),
      })
      .execute();
    await trx
      .updateTable('sessions')
      .set({ last_seen_at: now() })
      .where('id', '=', sessionId)
      .execute();
  }

  return {
    async open({ id: accountId, password_hash: passwordHash }, device) {
      const id = uuidv7();
      const token = randomBytes(32).toString('base64url');
      await db.transaction().execute(async (trx) => {
        // Wait for a concurrent password change, which couldn't revoke a session that it can't see yet.
        const unchangedAccount = await trx
          .selectFrom('accounts')
          .select('id')
          .where('id', '=', accountId)
          .where('password_hash', '=', passwordHash)
          .where('closed_at', 'is', null)
          .forShare()
          .executeTakeFirst();
        if (!unchangedAccount) throw new CallError('wrongCredentials');
        await trx
          .insertInto('sessions')
          .values({
            id,
            account_id: accountId,
            device,
            created_at: now(),
            last_seen_at: now(),
            password_at: now(),
          })
          .execute();
        await trx
          .insertInto('refresh_tokens')
          .values({
            hash: hashToken(token),
            session_id: id,
            created_at: now(),
            expires_at: expiry(),
          })
          .execute();
      });
      return tokens(accountId, id, token);
    },

    async refresh(token) {
      const session = await db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('refresh_tokens')
          .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
          .select(['sessions.id', 'account_id', 'used_at', 'expires_at', 'revoked_at'])
          .select(['renewals', 'voided_at'])
          .where('hash', '=', hashToken(token))
          .forUpdate()
          .executeTakeFirst();
        if (!row || row.revoked_at !== null || row.expires_at <= now()) return null;
        const { id, account_id: accountId, renewals } = row;
        const age = row.used_at && now().getTime() - row.used_at.getTime();
        if (row.voided_at === null && age === null) {
          await supersede(trx, id, token, 0);
          return { id, accountId, successor: createSuccessor(token) };
        }
        const successor = createSuccessor(token, renewals);
        if (row.voided_at === null && age !== null) {
          if (age <= limits.refreshGraceSeconds * 1000) return { id, accountId, successor };
          const isUnused = await trx
            .updateTable('refresh_tokens')
            .set({ voided_at: now() })
            .where('hash', '=', hashToken(successor))
            .where('used_at', 'is', null)
            .returning('hash')
            .executeTakeFirst();
          if (isUnused) {
            await supersede(trx, id, token, renewals + 1);
            return { id, accountId, successor: createSuccessor(token, renewals + 1) };
          }
        }
        // The token was exchanged or voided long ago and may have been stolen, so revoke the session.
        await trx.updateTable('sessions').set({ revoked_at: now() }).where('id', '=', id).execute();
        return null;
      });
      if (!session) throw new CallError('tokenInvalid');
      return tokens(session.accountId, session.id, session.successor);
    },

    async revoke(accountId, sessionId) {
      const revoked = await db
        .updateTable('sessions')
        .set({ revoked_at: now() })
        .where(sql`id::text`, '=', sessionId)
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (!revoked) throw new CallError('notFound');
    },

    async list(accountId, current) {
      const rows = await db
        .selectFrom('sessions')
        .select(['id', 'device', 'created_at', 'last_seen_at'])
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .where((where) =>
          where.exists(
            where
              .selectFrom('refresh_tokens')
              .select('hash')
              .whereRef('session_id', '=', 'sessions.id')
              .where('expires_at', '>', now()),
          ),
        )
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(({ created_at, last_seen_at, ...row }) => ({
        ...row,
        created_at: created_at.toISOString(),
        last_seen_at: last_seen_at.toISOString(),
        current: row.id === current,
      }));
    },

    async revokeAll(queries, accountId, options) {
      await queries
        .updateTable('sessions')
        .set({ revoked_at: now() })
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .$if(options !== undefined, (query) => query.where('id', '!=', options?.except ?? ''))
        .execute();
    },
  };
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

import { type KeyScope, keyScopes } from '@linnet/contract/key-scopes';
import { createSigner, createVerifier, TokenError } from 'fast-jwt';
import { z } from 'zod';
import type { Database, Row } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import { authenticateKey, hashKey, isApiKey } from '../key/authenticate.ts';

/** The authenticated account. Read from the database on every request, so it is never stale. */
export interface Caller {
  readonly accountId: string;
  /** The session. API keys also have one. */
  readonly sessionId: string;
  /** The API key that authenticated the caller, or null for an access token. */
  readonly keyId: string | null;
  /** The caller's scopes. An access token has all scopes. */
  readonly scopes: readonly KeyScope[];
  readonly account: Row<'accounts'>;
}

/** The scope that an API key needs, or `session` if the call accepts no key. */
export type RequiredScope = KeyScope | 'session';

/** Lifetime of an access token. The token's session is also checked on every call. */
export const accessTokenSeconds = 900;

/** Signs and verifies access tokens. */
export interface Access {
  sign(accountId: string, sessionId: string): string;
  /**
   * Identifies a token without the database: by the account that an access token was signed for, or by the API key
   * itself, whose account is unknown before the lookup.
   * @throws CallError tokenExpired, tokenInvalid
   */
  getSubject(token: string | null): string;
  /**
   * Returns the account and session of an access token or API key, provided the session hasn't been revoked.
   * @throws CallError tokenExpired, tokenInvalid; keyNotAllowed if an API key lacks the scope
   */
  authenticate(token: string | null, scope: RequiredScope): Promise<Caller>;
}

/** Maximum number of tokens whose verified signature is cached. Sessions are still checked on every request. */
const maxCachedTokens = 1000;

export function createAccess(db: Database, key: Uint8Array, now: () => Date): Access {
  const signToken = createSigner({ key: Buffer.from(key), algorithm: 'HS256' });
  const readToken = createVerifier({
    key: Buffer.from(key),
    algorithms: ['HS256'],
    cache: maxCachedTokens,
    // `verifyToken` checks the expiry using the server's own clock.
    ignoreExpiration: true,
  });
  // This query runs on every call, so it is compiled only once. The empty strings are placeholders for its parameters.
  const sessionQuery = db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .selectAll('accounts')
    .where('sessions.id', '=', '')
    .where('sessions.account_id', '=', '')
    .where('sessions.revoked_at', 'is', null)
    .compile();
  return {
    sign(accountId, sessionId) {
      const issuedAt = Math.floor(now().getTime() / 1000);
      const exp = issuedAt + accessTokenSeconds;
      return signToken({ sid: sessionId, sub: accountId, iat: issuedAt, exp });
    },

    getSubject(token) {
      if (token === null) throw new CallError('tokenInvalid');
      if (isApiKey(token)) return hashKey(token).toString('base64url');
      return verifyToken(readToken, token, now()).accountId;
    },

    async authenticate(token, scope) {
      if (token === null) throw new CallError('tokenInvalid');
      if (isApiKey(token)) return authenticateKey(db, token, scope, now());
      const { accountId, sessionId } = verifyToken(readToken, token, now());
      const { rows } = await db.executeQuery<Row<'accounts'>>({
        ...sessionQuery,
        parameters: [sessionId, accountId],
      });
      const [account] = rows;
      if (!account) throw new CallError('tokenInvalid');
      return { accountId, sessionId, keyId: null, scopes: keyScopes, account };
    },
  };
}

/** An access token's claims. */
const claims = z.object({ sub: z.uuid(), sid: z.uuid(), exp: z.int() });

function verifyToken(readToken: (token: string) => unknown, token: string, now: Date) {
  try {
    const { sub, sid, exp } = claims.parse(readToken(token));
    if (exp * 1000 <= now.getTime()) throw new CallError('tokenExpired');
    return { accountId: sub, sessionId: sid };
  } catch (cause) {
    if (cause instanceof TokenError || cause instanceof z.ZodError) {
      throw new CallError('tokenInvalid');
    }
    throw cause;
  }
}

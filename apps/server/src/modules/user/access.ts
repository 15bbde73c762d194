import { createSigner, createVerifier, TokenError } from 'fast-jwt';
import { z } from 'zod';
import type { Database, Row } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';

/** The authenticated account, read for each request and therefore never stale. */
export interface Caller {
  readonly accountId: string;
  readonly sessionId: string;
  readonly account: Row<'accounts'>;
}

/** Lifetime of an access token in seconds; its session is checked on every call as well. */
export const accessTokenSeconds = 900;

export interface Access {
  sign(accountId: string, sessionId: string): string;
  /**
   * Returns the account a token was signed for, without checking its session in the database.
   * @throws CallError tokenExpired, tokenInvalid
   */
  accountOf(token: string | null): string;
  /** @throws CallError tokenExpired, tokenInvalid */
  authenticate(token: string | null): Promise<Caller>;
}

/** Cache size for tokens with a verified signature. Sessions are still looked up on every request. */
const rememberedTokens = 1000;

export function createAccess(db: Database, key: Uint8Array, now: () => Date): Access {
  const signToken = createSigner({ key: Buffer.from(key), algorithm: 'HS256' });
  const readToken = createVerifier({
    key: Buffer.from(key),
    algorithms: ['HS256'],
    cache: rememberedTokens,
    // Checked below against the server's own clock.
    ignoreExpiration: true,
  });
  // Runs on every call, so it is compiled once and only its parameters are bound per call.
  const standing = db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .selectAll('accounts')
    .where('sessions.id', '=', '')
    .where('sessions.account_id', '=', '')
    .where('sessions.revoked_at', 'is', null)
    .compile();
  return {
    sign(accountId, sessionId) {
      const issued = Math.floor(now().getTime() / 1000);
      const exp = issued + accessTokenSeconds;
      return signToken({ sid: sessionId, sub: accountId, iat: issued, exp });
    },

    accountOf(token) {
      if (token === null) throw new CallError('tokenInvalid');
      return read(readToken, token, now()).accountId;
    },

    async authenticate(token) {
      if (token === null) throw new CallError('tokenInvalid');
      const { accountId, sessionId } = read(readToken, token, now());
      const { rows } = await db.executeQuery<Row<'accounts'>>({
        ...standing,
        parameters: [sessionId, accountId],
      });
      const [account] = rows;
      if (!account) throw new CallError('tokenInvalid');
      return { accountId, sessionId, account };
    },
  };
}

/** Claims of the tokens signed by this server. */
const claims = z.object({ sub: z.uuid(), sid: z.uuid(), exp: z.int() });

function read(readToken: (token: string) => unknown, token: string, now: Date) {
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

import { createSigner, createVerifier, TokenError } from 'fast-jwt';
import { z } from 'zod';
import type { Database, Row } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';

/** The account behind a request, read at each request: what it shows is never stale. */
export interface Caller {
  readonly accountId: string;
  readonly sessionId: string;
  readonly account: Row<'accounts'>;
}

/** Seconds an access token lives: short, since it is checked against its session anyway. */
export const accessTokenSeconds = 900;

export interface Access {
  sign(accountId: string, sessionId: string): string;
  /**
   * The account that a token was signed for, without asking the database whether its session still holds.
   * @throws CallError tokenExpired, tokenInvalid
   */
  accountOf(token: string | null): string;
  /** @throws CallError tokenExpired, tokenInvalid */
  authenticate(token: string | null): Promise<Caller>;
}

/** Tokens whose signature was found right; each is looked up again with every request. */
const rememberedTokens = 1000;

export function createAccess(db: Database, key: Uint8Array, now: () => Date): Access {
  const signToken = createSigner({ key: Buffer.from(key), algorithm: 'HS256' });
  const readToken = createVerifier({
    key: Buffer.from(key),
    algorithms: ['HS256'],
    cache: rememberedTokens,
    // Judged below, by this server's clock.
    ignoreExpiration: true,
  });
  // Asked by every call, so compiled once; the parameters are put in at each.
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

/** Claims of the tokens signed here. */
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

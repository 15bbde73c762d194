import { errors, jwtVerify, SignJWT } from 'jose';
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
  sign(accountId: string, sessionId: string): Promise<string>;
  /** @throws CallError tokenExpired, tokenInvalid */
  authenticate(token: string | null): Promise<Caller>;
}

export function createAccess(db: Database, key: Uint8Array, now: () => Date): Access {
  return {
    async sign(accountId, sessionId) {
      const issued = Math.floor(now().getTime() / 1000);
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(accountId)
        .setIssuedAt(issued)
        .setExpirationTime(issued + accessTokenSeconds)
        .sign(key);
    },

    async authenticate(token) {
      if (token === null) throw new CallError('tokenInvalid');
      const { accountId, sessionId } = await verify(token, key, now());
      const account = await db
        .selectFrom('sessions')
        .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
        .selectAll('accounts')
        .where('sessions.id', '=', sessionId)
        .where('sessions.account_id', '=', accountId)
        .where('sessions.revoked_at', 'is', null)
        .executeTakeFirst();
      if (!account) throw new CallError('tokenInvalid');
      return { accountId, sessionId, account };
    },
  };
}

async function verify(token: string, key: Uint8Array, currentDate: Date) {
  try {
    const options = { algorithms: ['HS256'], currentDate, requiredClaims: ['sub', 'sid', 'exp'] };
    const { payload } = await jwtVerify(token, key, options);
    return { accountId: String(payload.sub), sessionId: String(payload.sid) };
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) throw new CallError('tokenExpired');
    if (cause instanceof errors.JOSEError) throw new CallError('tokenInvalid');
    throw cause;
  }
}

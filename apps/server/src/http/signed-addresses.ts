import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { isUnexpired } from '../modules/key/authenticate.ts';
import { hmac } from '../secrets.ts';

/** Minimum lifetime of a signed URL: long enough to listen to a long recording with pauses. */
const addressHours = 6;
const hourSeconds = 3600;

/** Signs the URLs of this server's own files, and verifies them. */
export interface SignedAddresses {
  /**
   * Returns a URL that is valid for six to seven hours, but no longer than the session.
   * @param session session ID, or '' if the URL isn't tied to a session
   */
  sign(origin: string, key: string, now: Date, session: string): string;
  /** Returns the key in a currently valid URL that `sign` created, or null for any other URL. */
  verify(origin: string, url: string, now: Date): string | null;
  /** Returns the ID of the session that a verified URL was signed for, or '' if it isn't tied to a session. */
  parseSession(url: string): string;
}

/** @param path path in front of every key, without a trailing slash */
export function createSignedAddresses(path: string, secret: Uint8Array): SignedAddresses {
  const computeSignature = (key: string, expires: string, session: string) =>
    hmac(secret, `${expires}\n${key}\n${session}`);
  return {
    sign(origin, key, now, session) {
      // Round the expiry up to the hour. The URL stays the same for an hour, so browsers can use their cached copies.
      const end = Math.ceil(now.getTime() / 1000 / hourSeconds + addressHours) * hourSeconds;
      const encodedSignature = computeSignature(key, String(end), session).toString('base64url');
      return `${origin}${path}/${key}?e=${end}&n=${session}&s=${encodedSignature}`;
    },

    parseSession: (url) => new URLSearchParams(url.split('?', 2)[1] ?? '').get('n') ?? '',

    verify(origin, url, now) {
      const base = `${origin}${path}/`;
      const [address = '', query = ''] = url.split('?', 2);
      if (!address.startsWith(base)) return null;
      const key = address.slice(base.length);
      const parameters = new URLSearchParams(query);
      const values = ['e', 's', 'n'].map((name) => parameters.getAll(name));
      if (values.some(({ length }) => length > 1)) return null;
      const [end = '', encodedSignature = '', session = ''] = values.map(([value]) => value);
      const [signature, expected] = [
        Buffer.from(encodedSignature, 'base64url'),
        computeSignature(key, end, session),
      ];
      const isSignatureValid =
        signature.length === expected.length && timingSafeEqual(signature, expected);
      return isSignatureValid && Number(end) * 1000 > now.getTime() ? key : null;
    },
  };
}

/** Returns whether a session is still valid. URLs that were signed for a session expire with it. */
export async function isSessionValid(db: Database, sessionId: string, now: Date): Promise<boolean> {
  if (sessionId === '') return true;
  const session = await db
    .selectFrom('sessions')
    .leftJoin('api_keys', 'api_keys.session_id', 'sessions.id')
    .select('id')
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .where(isUnexpired(now))
    .executeTakeFirst();
  return session !== undefined;
}

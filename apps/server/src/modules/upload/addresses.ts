import { timingSafeEqual } from 'node:crypto';
import { hmac } from '../../secrets.ts';

/** The bucket of the embedded store, and where it answers. */
export const bucket = 'linnet';
export const storePath = `/store/${bucket}`;

/** Long enough to listen to a long recording with pauses. */
const addressHours = 6;
const hour = 3600;

/** Signs and checks the short-lived addresses under which objects are read. */
export interface Addresses {
  /** An address for reading an object, good for six to seven hours. */
  sign(origin: string, key: string): string;
  /** Whether an address's signature is ours and in time. */
  verify(key: string, expires: string, signature: string): boolean;
}

export function createAddresses(secret: Uint8Array, now: () => Date): Addresses {
  const seal = (key: string, expires: string) => hmac(secret, `${expires}\n${key}`);
  return {
    sign(origin, key) {
      // The end is rounded to the hour, so that the address stays the same and the browser's copy good.
      const end = Math.ceil(now().getTime() / 1000 / hour + addressHours) * hour;
      const signature = seal(key, String(end)).toString('base64url');
      return `${origin}${storePath}/${key}?e=${end}&s=${signature}`;
    },
    verify(key, expires, signature) {
      const [given, expected] = [Buffer.from(signature, 'base64url'), seal(key, expires)];
      return (
        given.length === expected.length &&
        timingSafeEqual(given, expected) &&
        Number(expires) * 1000 > now().getTime()
      );
    },
  };
}

/** The key in an object's address as clients repeat it, or null for an address of another place. */
export function keyOfAddress(url: string): string | null {
  if (!URL.canParse(url, 'http://relative')) return null;
  const { pathname } = new URL(url, 'http://relative');
  return pathname.startsWith(`${storePath}/`) ? pathname.slice(storePath.length + 1) : null;
}

import { timingSafeEqual } from 'node:crypto';
import { hmac } from '../../secrets.ts';

export const unsubscribePath = '/unsubscribe';

/** Length of a signature in bytes. */
const signatureBytes = 16;
const tokenPattern = new RegExp(`^([0-9a-f]{32})([0-9a-f]{${signatureBytes * 2}})$`);

/**
 * Creates and verifies the URLs that turn off an account's emails without signing in. They allow nothing else and never
 * expire, because the links in old emails must keep working.
 */
export interface UnsubscribeAddresses {
  createUrl(accountId: string, origin: string): string;
  /** Returns the account that a token belongs to, or null if the server didn't create the token. */
  parseAccount(token: string): string | null;
}

export function createUnsubscribeAddresses(secret: Uint8Array): UnsubscribeAddresses {
  const computeSignature = (accountId: string) =>
    hmac(secret, accountId).subarray(0, signatureBytes);
  return {
    createUrl(accountId, origin) {
      const digits = accountId.replaceAll('-', '');
      return `${origin}${unsubscribePath}/${digits}${computeSignature(accountId).toString('hex')}`;
    },
    parseAccount(token) {
      const [, digits = '', signature = ''] = tokenPattern.exec(token) ?? [];
      if (digits === '') return null;
      const accountId = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      const isSigned = timingSafeEqual(Buffer.from(signature, 'hex'), computeSignature(accountId));
      return isSigned ? accountId : null;
    },
  };
}

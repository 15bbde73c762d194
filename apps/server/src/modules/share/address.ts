import { timingSafeEqual } from 'node:crypto';
import { hmac } from '../../secrets.ts';

export const sharePath = '/s';

/** Length of a signature in bytes. Together with the random bits of the ID, it makes URLs unguessable. */
const signatureBytes = 16;
const tokenPattern = new RegExp(`^([0-9a-f]{32})([0-9a-f]{${signatureBytes * 2}})$`);

/**
 * Creates and verifies the secret URLs of share links. A URL is derived from the link's ID and the server's secret, so
 * it can be shown again without being stored. It consists of lowercase letters and digits, so no mail or chat app
 * breaks it.
 */
export interface ShareAddresses {
  /** Returns a link's token: the last path segment of its URL. */
  createToken(linkId: string): string;
  /** Returns the ID of the link that a token belongs to, or null if the server didn't create the token. */
  parseLink(token: string): string | null;
  /** Returns the URL of a link's page. */
  createUrl(linkId: string, origin: string): string;
}

export function createShareAddresses(secret: Uint8Array): ShareAddresses {
  const createSignature = (linkId: string) =>
    hmac(secret, `link ${linkId}`).subarray(0, signatureBytes);
  const createToken = (linkId: string) =>
    linkId.replaceAll('-', '') + createSignature(linkId).toString('hex');
  return {
    createToken,
    parseLink(token) {
      const [, digits = '', signature = ''] = tokenPattern.exec(token) ?? [];
      if (digits === '') return null;
      const linkId = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      return timingSafeEqual(Buffer.from(signature, 'hex'), createSignature(linkId))
        ? linkId
        : null;
    },
    createUrl: (linkId, origin) => `${origin}${sharePath}/${createToken(linkId)}`,
  };
}

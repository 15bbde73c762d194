import { timingSafeEqual } from 'node:crypto';
import { hmac } from '../../secrets.ts';

export const sharePath = '/s';

/** Length of a signature in bytes. Together with the random bits of the id, an address can't be guessed. */
const signatureBytes = 16;
const tokenPattern = new RegExp(`^([0-9a-f]{32})([0-9a-f]{${signatureBytes * 2}})$`);

/**
 * The secret addresses of links. An address follows from the link's id and the server's secret, so that it can be shown
 * again without being stored. It consists of small letters and digits, which no mail or chat program breaks.
 */
export interface ShareAddresses {
  /** Returns the token of a link: the last part of its address. */
  tokenOf(linkId: string): string;
  /** Returns the id of the link to which a token belongs; null if the server didn't create the token. */
  linkOf(token: string): string | null;
  /** Returns the address of a link's page. */
  urlOf(linkId: string, origin: string): string;
}

export function createShareAddresses(secret: Uint8Array): ShareAddresses {
  const signatureOf = (linkId: string) =>
    hmac(secret, `link ${linkId}`).subarray(0, signatureBytes);
  const tokenOf = (linkId: string) =>
    linkId.replaceAll('-', '') + signatureOf(linkId).toString('hex');
  return {
    tokenOf,
    linkOf(token) {
      const [, digits = '', signature = ''] = tokenPattern.exec(token) ?? [];
      if (digits === '') return null;
      const linkId = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      return timingSafeEqual(Buffer.from(signature, 'hex'), signatureOf(linkId)) ? linkId : null;
    },
    urlOf: (linkId, origin) => `${origin}${sharePath}/${tokenOf(linkId)}`,
  };
}

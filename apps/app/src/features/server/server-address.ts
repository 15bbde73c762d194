/**
 * The server that the app uses. An address is an origin, such as `https://linnet.example.org`. The data of each server
 * is stored separately (docs/decisions/0022-one-database-per-server.md).
 */

/** The local storage key of the chosen server. It is absent if the app uses its own server. */
const KEY = 'server_address';

/** Returns the origin that the app was loaded from or, in phone apps, the server configured at build time. */
export function ownAddress(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="server"]')?.content || location.origin;
}

/** Returns the origin of the current server. */
export function currentAddress(): string {
  return localStorage.getItem(KEY) ?? ownAddress();
}

/** Stores the server that the app will use after its next start. */
export function chooseAddress(address: string): void {
  if (address === ownAddress()) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, address);
}

/** Returns the folder on this phone for the recordings of a server. */
export function storageFolderOf(address: string): string {
  return address === ownAddress() ? 'linnet' : `linnet-${encodeURIComponent(address)}`;
}

/** Returns the key of an account on this phone. An id alone does not suffice, because it is unique per server only. */
export function accountKeyOf(address: string, userId: string): string {
  return address === ownAddress() ? userId : `${userId} ${address}`;
}

/** Matches hosts of local networks, which rarely have a certificate: single words, `.local`, and private addresses. */
const localHost =
  /^(localhost|[^.:[\]]+|[^:]+\.local|127\..+|10\..+|192\.168\..+|172\.(1[6-9]|2\d|3[01])\..+|\[.*\])$/i;

/** Parses an address entered by the user, with or without a scheme. @returns the origin, or null if invalid */
export function parseAddress(input: string): string | null {
  const text = input.trim();
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const host = text.replace(/[/?#].*$/, '').replace(/:\d*$/, '');
  const defaultScheme = localHost.test(host) ? 'http' : 'https';
  const address = hasScheme ? text : `${defaultScheme}://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || /\s/.test(text)) return null;
  return url.origin;
}

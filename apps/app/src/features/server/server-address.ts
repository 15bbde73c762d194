/**
 * The server that the app uses. An address is an origin, such as `https://linnet.example.org`. Each server's data is
 * stored separately (docs/decisions/0022-one-database-per-server.md).
 */

/** Local storage key of the chosen server. Not set while the app uses its default server. */
const KEY = 'server_address';

/** Returns the origin that the app was loaded from or, in phone apps, the server configured at build time. */
export function getOwnAddress(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="server"]')?.content || location.origin;
}

/** Returns the current server's origin. */
export function currentAddress(): string {
  return localStorage.getItem(KEY) ?? getOwnAddress();
}

/** Stores which server to use after the next start. */
export function chooseAddress(address: string): void {
  if (address === getOwnAddress()) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, address);
}

/** Returns the folder on this phone for a server's recordings. */
export function getStorageFolder(address: string): string {
  return address === getOwnAddress() ? 'linnet' : `linnet-${encodeURIComponent(address)}`;
}

/** Returns an account's key on this phone. The ID alone isn't enough, because it is unique only within a server. */
export function getAccountKey(address: string, userId: string): string {
  return address === getOwnAddress() ? userId : `${userId} ${address}`;
}

/** Matches hosts on local networks, which rarely have a certificate: single words, `.local`, and private addresses. */
const localHost =
  /^(localhost|[^.:[\]]+|[^:]+\.local|127\..+|10\..+|192\.168\..+|172\.(1[6-9]|2\d|3[01])\..+|\[.*\])$/i;

/**
 * Parses an address entered by the user, with or without a scheme.
 * @returns the origin, or null if invalid
 */
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

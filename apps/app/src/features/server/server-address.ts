/**
 * The server this app uses. An address is an origin: `https://linnet.example.org`. Data of accounts is stored
 * separately for each (docs/decisions/0022-one-database-per-server.md).
 */

/** Local storage key of the chosen server; absent for the app's own. */
const KEY = 'server_address';

/** The origin from which the app was loaded; in phone apps, the server configured at build time. */
export function ownAddress(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="server"]')?.content || location.origin;
}

/** The origin of the current server. */
export function currentAddress(): string {
  return localStorage.getItem(KEY) ?? ownAddress();
}

/** Stores the server to use after the next start. */
export function chooseAddress(address: string): void {
  if (address === ownAddress()) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, address);
}

/** The folder on this phone for a server's recordings. */
export function storageFolderOf(address: string): string {
  return address === ownAddress() ? 'linnet' : `linnet-${encodeURIComponent(address)}`;
}

/** The key of an account across servers, since ids are only unique per server. */
export function accountKeyOf(address: string, userId: string): string {
  return address === ownAddress() ? userId : `${userId} ${address}`;
}

/** Local hosts, which seldom have a certificate: single words, `.local`, and private addresses. */
const localHost =
  /^(localhost|[^.:[\]]+|[^:]+\.local|127\..+|10\..+|192\.168\..+|172\.(1[6-9]|2\d|3[01])\..+|\[.*\])$/i;

/** Parses an entered address, with or without `https://`; null if invalid. */
export function parseAddress(typed: string): string | null {
  const text = typed.trim();
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const host = text.replace(/[/?#].*$/, '').replace(/:\d*$/, '');
  const full = hasScheme ? text : `${localHost.test(host) ? 'http' : 'https'}://${text}`;
  const url = URL.canParse(full) ? new URL(full) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || /\s/.test(text)) return null;
  return url.origin;
}

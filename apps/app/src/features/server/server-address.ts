/**
 * Which server this app talks to. An address is an origin: `https://linnet.example.org`. Whatever belongs
 * to an account is kept apart by it (docs/decisions/0022-one-database-per-server.md).
 */

/** Local storage: the server that was chosen; absent is the app's own. */
const KEY = 'server_address';

/** The app's own server: the one it came from. The apps of phones are told theirs when they are built. */
export function ownAddress(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="server"]')?.content || location.origin;
}

/** The server that this app talks to. */
export function chosenAddress(): string {
  return localStorage.getItem(KEY) ?? ownAddress();
}

/** Takes effect with the next start. */
export function chooseAddress(address: string): void {
  if (address === ownAddress()) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, address);
}

/** The folder on this phone for recordings that belong to accounts of a server. */
export function storeOf(address: string): string {
  return address === ownAddress() ? 'linnet' : `linnet-${encodeURIComponent(address)}`;
}

/** An account among those of all servers: its number alone could be another's elsewhere. */
export function ownerOf(address: string, userId: string): string {
  return address === ownAddress() ? userId : `${userId} ${address}`;
}

/** Hosts within the house, which seldom have a certificate: one word, `.local`, and private numbers. */
const nearby =
  /^(localhost|[^.:[\]]+|[^:]+\.local|127\..+|10\..+|192\.168\..+|172\.(1[6-9]|2\d|3[01])\..+|\[.*\])$/i;

/** The address in what somebody typed, with or without `https://`; null where there is none. */
export function addressIn(typed: string): string | null {
  const text = typed.trim();
  const named = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const host = text.replace(/[/?#].*$/, '').replace(/:\d*$/, '');
  const whole = named ? text : `${nearby.test(host) ? 'http' : 'https'}://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || /\s/.test(text)) return null;
  return url.origin;
}

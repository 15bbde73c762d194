import type { StorageGateway } from '../../providers/storage/port.ts';
import { getMediaType } from './kinds.ts';

/** Converts between object keys and the URLs that clients use to read objects or send back to the server. */
export interface Addresses {
  /**
   * Returns a signed URL for reading an object. A storage provider's URL is valid for ten to fifteen minutes. A URL of
   * the embedded store is valid for six to seven hours, but never longer than the session that requested it.
   */
  sign(origin: string, key: string, sessionId: string): string;
  /** Returns the object key of a currently valid signed URL, or null for any other URL. */
  verify(origin: string, url: string): string | null;
  /** Returns the object key in a URL of the store, signed or not, or null for any other URL. */
  parseKey(url: string): string | null;
}

/** Maximum number of cached URLs. They are cached because signing dominates the cost of returning a long list. */
const maxCachedAddresses = 20_000;
/** How long a URL is cached. Must be shorter than the shortest lifetime of a signed URL. */
const cacheMs = 5 * 60_000;

export function createAddresses(gateway: StorageGateway, now: () => Date): Addresses {
  const relative = 'http://relative';
  const base = `${new URL(gateway.address(relative)).pathname.replace(/\/$/, '')}/`;
  const cache = { period: 0, addresses: new Map<string, string>() };
  return {
    sign(origin, key, sessionId) {
      const time = now();
      const period = Math.floor(time.getTime() / cacheMs);
      if (cache.period !== period || cache.addresses.size >= maxCachedAddresses) {
        cache.period = period;
        cache.addresses.clear();
      }
      const cacheKey = `${origin} ${key} ${sessionId}`;
      const cached = cache.addresses.get(cacheKey);
      if (cached !== undefined) return cached;
      const address = gateway.sign(origin, key, getMediaType(key), time, sessionId);
      cache.addresses.set(cacheKey, address);
      return address;
    },
    verify: (origin, address) => gateway.verify(origin, address, now()),
    parseKey(url) {
      if (!URL.canParse(url, relative)) return null;
      const { pathname } = new URL(url, relative);
      return pathname.startsWith(base) ? pathname.slice(base.length) : null;
    },
  };
}

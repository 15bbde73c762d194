import type { StorageGateway } from '../../providers/storage/port.ts';
import { mediaTypeOf } from './kinds.ts';

/** Addresses of objects: short-lived and signed for reading, plain for identification. */
export interface Addresses {
  /**
   * An address for reading an object, valid for ten to fifteen minutes at a storage provider. In the embedded store it
   * is valid for six to seven hours, but never longer than the session that requested it.
   */
  sign(origin: string, key: string, sessionId: string): string;
  /** The object key of a currently valid signed address; null for any other address. */
  readable(origin: string, address: string): string | null;
  /** The object key in an address that a client sends back, signed or not; null for a foreign address. */
  keyOf(url: string): string | null;
}

/** Addresses cached: signing dominates the cost of a long list, and an address stays valid for a while. */
const remembered = 20_000;
/** Milliseconds that an address is cached. */
const rememberedMs = 5 * 60_000;

export function createAddresses(gateway: StorageGateway, now: () => Date): Addresses {
  const relative = 'http://relative';
  const base = `${new URL(gateway.address(relative)).pathname.replace(/\/$/, '')}/`;
  const signed = { period: 0, addresses: new Map<string, string>() };
  return {
    sign(origin, key, sessionId) {
      const time = now();
      const period = Math.floor(time.getTime() / rememberedMs);
      if (signed.period !== period || signed.addresses.size >= remembered) {
        signed.period = period;
        signed.addresses.clear();
      }
      const name = `${origin} ${key} ${sessionId}`;
      const known = signed.addresses.get(name);
      if (known !== undefined) return known;
      const address = gateway.sign(origin, key, mediaTypeOf(key), time, sessionId);
      signed.addresses.set(name, address);
      return address;
    },
    readable: (origin, address) => gateway.verify(origin, address, now()),
    keyOf(url) {
      if (!URL.canParse(url, relative)) return null;
      const { pathname } = new URL(url, relative);
      return pathname.startsWith(base) ? pathname.slice(base.length) : null;
    },
  };
}

import type { StoreDoor } from '../../providers/storage/port.ts';
import { mediaTypeOf } from './kinds.ts';

/** The addresses of objects: short-lived and signed for reading, plain for naming one. */
export interface Addresses {
  /**
   * An address for reading an object: good for ten to fifteen minutes where a provider answers for it; in the embedded
   * store six to seven hours, and never longer than the session that asked for it.
   */
  sign(origin: string, key: string, sessionId: string): string;
  /** The key of the object that a signed address reads now; null for any other address. */
  readable(origin: string, address: string): string | null;
  /** The key in an object's address as clients repeat it, signed or not; null for another place's. */
  keyOf(url: string): string | null;
}

/** Signing costs more than all else in a long list, and an address is good for a while. */
const remembered = 20_000;
/** Milliseconds that an address is remembered. */
const rememberedMs = 5 * 60_000;

export function createAddresses(door: StoreDoor, now: () => Date): Addresses {
  const relative = 'http://relative';
  const base = `${new URL(door.address(relative)).pathname.replace(/\/$/, '')}/`;
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
      const address = door.sign(origin, key, mediaTypeOf(key), time, sessionId);
      signed.addresses.set(name, address);
      return address;
    },
    readable: (origin, address) => door.verify(origin, address, now()),
    keyOf(url) {
      if (!URL.canParse(url, relative)) return null;
      const { pathname } = new URL(url, relative);
      return pathname.startsWith(base) ? pathname.slice(base.length) : null;
    },
  };
}

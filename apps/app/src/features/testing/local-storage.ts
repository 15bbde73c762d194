import { vi } from 'vitest';

/**
 * Puts a local storage where a browser has one, until `vi.unstubAllGlobals()`. Its names are its keys, as a
 * browser's are.
 * @param mayKeep false once the phone is full
 * @returns what is kept in it, by name
 */
export function stubLocalStorage(mayKeep: () => boolean = () => true): Map<string, string> {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem(name: string, text: string) {
      if (!mayKeep()) throw new DOMException('full', 'QuotaExceededError');
      kept.set(name, text);
    },
    removeItem: (name: string) => void kept.delete(name),
  };
  const listed = { enumerable: true, configurable: true };
  const names = { ownKeys: () => [...kept.keys()], getOwnPropertyDescriptor: () => listed };
  vi.stubGlobal('localStorage', new Proxy(storage, names));
  return kept;
}

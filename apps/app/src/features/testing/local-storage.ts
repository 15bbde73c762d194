import { vi } from 'vitest';

/**
 * Stubs local storage until `vi.unstubAllGlobals()`. As in a browser, its keys are its own properties.
 * @param mayKeep false to simulate full storage
 * @returns the stored items by key
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

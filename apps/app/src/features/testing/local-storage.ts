import { vi } from 'vitest';

/**
 * Stubs local storage until `vi.unstubAllGlobals()`. As in a browser, its keys are its own properties.
 * @param mayKeep false to simulate full storage
 * @returns the stored items by key
 */
export function stubLocalStorage(mayKeep: () => boolean = () => true): Map<string, string> {
  const items = new Map<string, string>();
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem(name: string, text: string) {
      if (!mayKeep()) throw new DOMException('full', 'QuotaExceededError');
      items.set(name, text);
    },
    removeItem: (name: string) => void items.delete(name),
  };
  const listed = { enumerable: true, configurable: true };
  const names = { ownKeys: () => [...items.keys()], getOwnPropertyDescriptor: () => listed };
  vi.stubGlobal('localStorage', new Proxy(storage, names));
  return items;
}

import { vi } from 'vitest';

/**
 * Stubs local storage until `vi.unstubAllGlobals()`. As in a browser, the keys are own properties of the stub.
 * @param hasSpace returns false to simulate full storage
 * @returns the stored items by key
 */
export function stubLocalStorage(hasSpace: () => boolean = () => true): Map<string, string> {
  const items = new Map<string, string>();
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem(name: string, text: string) {
      if (!hasSpace()) throw new DOMException('full', 'QuotaExceededError');
      items.set(name, text);
    },
    removeItem: (name: string) => void items.delete(name),
  };
  const handler = {
    ownKeys: () => [...items.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  };
  vi.stubGlobal('localStorage', new Proxy(storage, handler));
  return items;
}

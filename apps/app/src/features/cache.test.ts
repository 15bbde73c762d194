import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLocalStorage } from './testing/local-storage.ts';

let storage: Map<string, string>;

/** Loads the cache module as a newly opened page would. */
async function loadCache() {
  vi.resetModules();
  return (await import('./cache.ts')).cacheEntry;
}

beforeEach(() => {
  vi.useFakeTimers();
  storage = stubLocalStorage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('stores data with its creation time and a default timeout of 1200 seconds', async () => {
  const cacheEntry = await loadCache();
  const entry = cacheEntry<string[]>('_languages');
  expect(entry.read()).toBeNull();
  entry.write(['en']);
  expect(JSON.parse(storage.get('_languages') ?? '')).toEqual({
    data: ['en'],
    timeout: 1200,
    created: Date.now(),
  });
  vi.advanceTimersByTime(1_199_999);
  expect(entry.read()).toEqual({ data: ['en'], isFresh: true });
  vi.advanceTimersByTime(1);
  expect(entry.read()).toEqual({ data: ['en'], isFresh: false });
});

it('persists only entries whose name starts with an underscore', async () => {
  const firstPage = await loadCache();
  firstPage('_stored').write(1);
  firstPage('memory').write(2);
  expect(firstPage('memory').read()?.data).toBe(2);
  expect([...storage.keys()]).toEqual(['_stored']);
  const secondPage = await loadCache();
  expect(secondPage('_stored').read()?.data).toBe(1);
  expect(secondPage('memory').read()).toBeNull();
});

it('treats an entry as stale after the clock was set back', async () => {
  const cacheEntry = await loadCache();
  cacheEntry('_stored').write(1);
  vi.setSystemTime(Date.now() - 60_000);
  expect(cacheEntry('_stored').read()).toEqual({ data: 1, isFresh: false });
});

it('clears its entries but no other local storage keys', async () => {
  const cacheEntry = await loadCache();
  localStorage.setItem('BIND_DEVICE', '[]');
  cacheEntry('_stored').write(1);
  cacheEntry('memory').write(2);
  cacheEntry('_dropped').write(3);
  cacheEntry('_dropped').drop();
  expect(cacheEntry('_dropped').read()).toBeNull();
  cacheEntry.clearAll();
  expect([cacheEntry('_stored').read(), cacheEntry('memory').read()]).toEqual([null, null]);
  expect([...storage.keys()]).toEqual(['BIND_DEVICE']);
});

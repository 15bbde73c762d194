import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLocalStorage } from './testing/local-storage.ts';

let kept: Map<string, string>;

/** The cache of a newly opened page. */
async function freshCache() {
  vi.resetModules();
  return (await import('./cache.ts')).cacheEntry;
}

beforeEach(() => {
  vi.useFakeTimers();
  kept = stubLocalStorage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('stores data with its timeout, by default 1200 seconds, and its time', async () => {
  const cacheEntry = await freshCache();
  const entry = cacheEntry<string[]>('_languages');
  expect(entry.read()).toBeNull();
  entry.write(['en']);
  expect(JSON.parse(kept.get('_languages') ?? '')).toEqual({
    data: ['en'],
    timeout: 1200,
    created: Date.now(),
  });
  vi.advanceTimersByTime(1_199_999);
  expect(entry.read()).toEqual({ data: ['en'], fresh: true });
  vi.advanceTimersByTime(1);
  expect(entry.read()).toEqual({ data: ['en'], fresh: false });
});

it('survives the page only under a name with an underscore', async () => {
  const before = await freshCache();
  before('_kept').write(1);
  before('brief').write(2);
  expect(before('brief').read()?.data).toBe(2);
  expect([...kept.keys()]).toEqual(['_kept']);
  const after = await freshCache();
  expect(after('_kept').read()?.data).toBe(1);
  expect(after('brief').read()).toBeNull();
});

it('is stale if the clock was ahead', async () => {
  const cacheEntry = await freshCache();
  cacheEntry('_kept').write(1);
  vi.setSystemTime(Date.now() - 60_000);
  expect(cacheEntry('_kept').read()).toEqual({ data: 1, fresh: false });
});

it('is cleared without affecting other local storage keys', async () => {
  const cacheEntry = await freshCache();
  localStorage.setItem('BIND_DEVICE', '[]');
  cacheEntry('_kept').write(1);
  cacheEntry('brief').write(2);
  cacheEntry('_dropped').write(3);
  cacheEntry('_dropped').drop();
  expect(cacheEntry('_dropped').read()).toBeNull();
  cacheEntry.clearAll();
  expect([cacheEntry('_kept').read(), cacheEntry('brief').read()]).toEqual([null, null]);
  expect([...kept.keys()]).toEqual(['BIND_DEVICE']);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { cacheEntry } from '../cache.ts';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { lastSync } from './last-sync.ts';

let storage: Map<string, string>;
const never = (error: unknown) => expect.fail(String(error));

beforeEach(() => {
  storage = stubLocalStorage();
});
afterEach(() => vi.unstubAllGlobals());

it('is not deleted with the cache', () => {
  lastSync.set('wren', 12, never);
  cacheEntry.clearAll();
  expect([...storage.values()]).toEqual(['12']);
});

it('is deleted with its account', () => {
  lastSync.set('wren', 12, never);
  lastSync.set('robin', 13, never);
  lastSync.forget('wren');
  expect([lastSync.get('wren'), lastSync.get('robin'), lastSync.get(null)]).toEqual([
    null,
    13,
    null,
  ]);
});

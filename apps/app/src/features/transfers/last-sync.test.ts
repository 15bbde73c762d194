import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { cacheEntry } from '../cache.ts';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { lastSync } from './last-sync.ts';

let storage: Map<string, string>;
const failOnError = (error: unknown) => expect.fail(String(error));

beforeEach(() => {
  storage = stubLocalStorage();
});
afterEach(() => vi.unstubAllGlobals());

it('the last sync time is not deleted when the cache is cleared', () => {
  lastSync.set('wren', 12, failOnError);
  cacheEntry.clearAll();
  expect([...storage.values()]).toEqual(['12']);
});

it('the last sync time is deleted for one account only', () => {
  lastSync.set('wren', 12, failOnError);
  lastSync.set('robin', 13, failOnError);
  lastSync.forget('wren');
  expect([lastSync.get('wren'), lastSync.get('robin'), lastSync.get(null)]).toEqual([
    null,
    13,
    null,
  ]);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { cacheEntry } from '../cache.ts';
import { lastSync } from './last-sync.ts';

const kept = new Map<string, string>();
const never = (error: unknown) => expect.fail(String(error));

beforeEach(() => {
  kept.clear();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
    removeItem: (name: string) => kept.delete(name),
  };
  // As a browser's, whose keys are what is kept.
  const listed = { enumerable: true, configurable: true };
  const names = { ownKeys: () => [...kept.keys()], getOwnPropertyDescriptor: () => listed };
  vi.stubGlobal('localStorage', new Proxy(storage, names));
});
afterEach(() => vi.unstubAllGlobals());

it('outlives the cache: another server that is asked makes it no less true', () => {
  lastSync.set('wren', 12, never);
  cacheEntry.clearAll();
  expect([...kept.values()]).toEqual(['12']);
});

it('goes with its account', () => {
  lastSync.set('wren', 12, never);
  lastSync.set('robin', 13, never);
  lastSync.forget('wren');
  expect([lastSync.get('wren'), lastSync.get('robin'), lastSync.get(null)]).toEqual([
    null,
    13,
    null,
  ]);
});

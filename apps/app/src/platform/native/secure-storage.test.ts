import { expect, it } from 'vitest';
import { openSecureStorage, type SecureStoragePlugin } from './secure-storage.ts';

/** A fake of the phone's secure storage, as in Java and Swift. */
function phone() {
  const stored = new Map<string, string>();
  const plugin: SecureStoragePlugin = {
    async get({ name }) {
      const value = stored.get(name);
      return value === undefined ? {} : { value };
    },
    set: async ({ name, value }) => void stored.set(name, value),
    remove: async ({ name }) => void stored.delete(name),
  };
  return { stored, plugin };
}
const fail = (error: unknown) => expect.fail(String(error));

it('restores stored values at the next start', async () => {
  const { stored, plugin } = phone();
  const before = await openSecureStorage(['a', 'b'], fail, plugin);
  expect(before.getItem('a')).toBeNull();
  before.setItem('a', '1');
  before.setItem('b', '2');
  before.removeItem('b');
  expect([before.getItem('a'), before.getItem('b')]).toEqual(['1', null]);
  expect([...stored]).toEqual([['a', '1']]);
  const after = await openSecureStorage(['a', 'b'], fail, plugin);
  expect([after.getItem('a'), after.getItem('b')]).toEqual(['1', null]);
});

it('provides readable values, and retains unsaved ones in memory', async () => {
  const { stored, plugin } = phone();
  stored.set('a', '1').set('b', '2');
  const errors: unknown[] = [];
  const locked = new Error('locked');
  const store = await openSecureStorage(['a', 'b'], (error) => errors.push(error), {
    ...plugin,
    get: (secret) => (secret.name === 'b' ? Promise.reject(locked) : plugin.get(secret)),
    set: () => Promise.reject(locked),
  });
  expect([store.getItem('a'), store.getItem('b')]).toEqual(['1', null]);
  store.setItem('b', '3');
  expect(store.getItem('b')).toBe('3');
  await expect.poll(() => errors).toEqual([locked, locked]);
});

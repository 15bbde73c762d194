import { expect, it } from 'vitest';
import { openSecureStorage, type SecureStoragePlugin } from './secure-storage.ts';

/** Creates a fake native plugin. */
function createFakePlugin() {
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
const failOnError = (error: unknown) => expect.fail(String(error));

it('restores stored values on the next start', async () => {
  const { stored, plugin } = createFakePlugin();
  const firstStart = await openSecureStorage(['a', 'b'], failOnError, plugin);
  expect(firstStart.getItem('a')).toBeNull();
  firstStart.setItem('a', '1');
  firstStart.setItem('b', '2');
  firstStart.removeItem('b');
  expect([firstStart.getItem('a'), firstStart.getItem('b')]).toEqual(['1', null]);
  expect([...stored]).toEqual([['a', '1']]);
  const secondStart = await openSecureStorage(['a', 'b'], failOnError, plugin);
  expect([secondStart.getItem('a'), secondStart.getItem('b')]).toEqual(['1', null]);
});

it('skips unreadable values, and keeps unwritable values in memory', async () => {
  const { stored, plugin } = createFakePlugin();
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

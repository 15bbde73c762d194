import { registerPlugin } from '@capacitor/core';
import type { SecretStore } from '../../features/account/token-store.ts';

/** The plugin implemented in SecureStoragePlugin.java and SecureStoragePlugin.swift. */
export type SecureStoragePlugin = {
  get(secret: { name: string }): Promise<{ value?: string }>;
  set(secret: { name: string; value: string }): Promise<void>;
  remove(secret: { name: string }): Promise<void>;
};

/**
 * Opens the phone's secure storage. Secrets are read once, so that they can be accessed synchronously, and are written
 * in the background. A secret that can't be read counts as missing, so the user has to sign in again.
 */
export async function openSecureStorage(
  names: readonly string[],
  onError: (error: unknown) => void,
  plugin = registerPlugin<SecureStoragePlugin>('SecureStorage'),
): Promise<SecretStore> {
  const values = new Map<string, string>();
  await Promise.all(
    names.map(async (name) => {
      try {
        const { value } = await plugin.get({ name });
        if (value !== undefined) values.set(name, value);
      } catch (error) {
        onError(error);
      }
    }),
  );
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem(name, value) {
      values.set(name, value);
      plugin.set({ name, value }).catch(onError);
    },
    removeItem(name) {
      values.delete(name);
      plugin.remove({ name }).catch(onError);
    },
  };
}

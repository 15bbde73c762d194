/**
 * Folders that users have picked for Markdown files. Their handles are stored in IndexedDB, because SQLite can't store
 * them. Only Chromium lets web pages write to a folder.
 */
import { createStore, del, get, keys, set } from 'idb-keyval';
import type { VaultPicker } from '../../features/vault/device-vault.ts';
import { createPickedFolder } from './vault-folder.ts';

/** @param namespace prefix of the name of the database for handles; also the folder for this server's files */
export function createWebVaultPicker(namespace: string): VaultPicker {
  const handles = createStore(`${namespace}-vaults`, 'handles');
  const find = (id: string) => get<FileSystemDirectoryHandle>(id, handles);

  return {
    canPick: 'showDirectoryPicker' in window,
    async pick() {
      try {
        const handle = await window.showDirectoryPicker?.({ id: 'markdown', mode: 'readwrite' });
        if (!handle) return 'canceled';
        const id = crypto.randomUUID();
        await set(id, handle, handles);
        return { id, name: handle.name };
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        if (error.name === 'AbortError') return 'canceled';
        if (error.name === 'NotAllowedError' || error.name === 'SecurityError') return 'forbidden';
        throw error;
      }
    },
    async request(id) {
      const handle = await find(id);
      return (await handle?.requestPermission?.({ mode: 'readwrite' })) === 'granted';
    },
    async open(id) {
      const handle = await find(id);
      // The handle was deleted along with other browser data, but the database wasn't.
      if (!handle) return 'forgotten';
      if ((await handle.queryPermission?.({ mode: 'readwrite' })) !== 'granted')
        return 'permission';
      return createPickedFolder(handle);
    },
    ids: () => keys<string>(handles),
    forget: (id) => del(id, handles),
    watch(listener) {
      const onChange = () => document.visibilityState === 'visible' && listener();
      document.addEventListener('visibilitychange', onChange);
      return () => document.removeEventListener('visibilitychange', onChange);
    },
  };
}

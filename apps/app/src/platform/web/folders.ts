/**
 * Folders that the user has picked through the File System Access API. Their handles are stored in IndexedDB, because
 * SQLite can't store them. Chromium has this API; other browsers import a folder only once.
 */
import { isAudioName, isHiddenName } from '@linnet/contract/folder-files';
import { FolderError, type ListedFile } from '@linnet/sync';
import { createStore, del, entries, get, keys, set } from 'idb-keyval';
import type { FolderPicker, PickedFolder } from '../../features/folders/folders.ts';

/** The parts of the API that TypeScript's libraries don't declare. */
declare global {
  interface Window {
    showDirectoryPicker?(options?: {
      readonly id?: string;
      readonly mode?: 'read' | 'readwrite';
    }): Promise<FileSystemDirectoryHandle>;
  }
  interface FileSystemHandle {
    queryPermission?(options: { readonly mode: 'read' | 'readwrite' }): Promise<PermissionState>;
    requestPermission?(options: { readonly mode: 'read' | 'readwrite' }): Promise<PermissionState>;
  }
  interface DataTransferItem {
    getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
  }
}

/** Interval in milliseconds between scans of the folders while the app is visible. */
const SCAN_INTERVAL_MS = 10_000;

const isFolder = (handle: FileSystemHandle): handle is FileSystemDirectoryHandle =>
  handle.kind === 'directory';
const isFile = (handle: FileSystemHandle): handle is FileSystemFileHandle => handle.kind === 'file';

function folderError(cause: unknown): FolderError {
  const name = cause instanceof DOMException ? cause.name : '';
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return new FolderError('permission_required', { cause });
    case 'NotFoundError':
      return new FolderError('not_found', { cause });
    case 'NoModificationAllowedError':
    case 'InvalidModificationError':
      return new FolderError('read_only', { cause });
    default:
      return new FolderError('io_failed', { cause });
  }
}

/**
 * Lists all audio files in a folder, including its subfolders.
 * @throws DOMException
 */
async function* listFiles(
  folder: FileSystemDirectoryHandle,
  parentPath: string,
): AsyncGenerator<ListedFile> {
  for await (const [name, handle] of folder.entries()) {
    if (isHiddenName(name)) continue;
    const path = `${parentPath}${name}`;
    if (isFolder(handle)) yield* listFiles(handle, `${path}/`);
    if (!isFile(handle) || !isAudioName(name)) continue;
    const file = await handle.getFile();
    yield {
      path,
      file,
      async delete() {
        await folder.removeEntry(name).catch((cause: unknown) => {
          throw folderError(cause);
        });
      },
    };
  }
}

/** @param store name of the folder for this server's files, which is also used for the database of handles */
export function createWebFolders(store: string): FolderPicker {
  const handles = createStore(`${store}-folders`, 'handles');

  /** Remembers a picked folder, unless it is one of the added folders. */
  async function remember(
    handle: FileSystemDirectoryHandle,
    added: readonly string[],
  ): Promise<PickedFolder> {
    for (const [id, other] of await entries<string, FileSystemDirectoryHandle>(handles)) {
      if (added.includes(id) && (await other.isSameEntry(handle))) return { id, name: other.name };
    }
    const id = crypto.randomUUID();
    await set(id, handle, handles);
    return { id, name: handle.name };
  }

  return {
    canRemember: 'showDirectoryPicker' in window,
    async pick(added) {
      try {
        const handle = await window.showDirectoryPicker?.({ id: 'recordings' });
        return handle ? await remember(handle, added) : 'canceled';
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        if (error.name === 'AbortError') return 'canceled';
        if (error.name === 'NotAllowedError' || error.name === 'SecurityError') return 'forbidden';
        throw error;
      }
    },
    async dropped(item, added) {
      const handle = await item.getAsFileSystemHandle?.();
      return handle && isFolder(handle) ? remember(handle, added) : null;
    },
    async request(id, access) {
      const handle = await get<FileSystemDirectoryHandle>(id, handles);
      if (!handle) return false;
      const mode = access === 'write' ? 'readwrite' : 'read';
      if ((await handle.queryPermission?.({ mode })) === 'granted') return true;
      return (await handle.requestPermission?.({ mode })) === 'granted';
    },
    ids: () => keys<string>(handles),
    forget: (id) => del(id, handles),
    async *files(id, signal) {
      const handle = await get<FileSystemDirectoryHandle>(id, handles);
      // The handle was deleted along with other browser data, but the database wasn't.
      if (!handle) throw new FolderError('not_found');
      if ((await handle.queryPermission?.({ mode: 'read' })) !== 'granted') {
        throw new FolderError('permission_required');
      }
      try {
        for await (const listed of listFiles(handle, '')) {
          signal.throwIfAborted();
          yield listed;
        }
      } catch (error) {
        if (error instanceof DOMException && !signal.aborted) throw folderError(error);
        throw error;
      }
    },
    watch(listener) {
      const scan = () => document.visibilityState === 'visible' && listener();
      const timer = setInterval(scan, SCAN_INTERVAL_MS);
      document.addEventListener('visibilitychange', scan);
      return () => {
        clearInterval(timer);
        document.removeEventListener('visibilitychange', scan);
      };
    },
  };
}

import type { StoredFiles } from '../../features/library/phone-space.ts';
import { audioFolder, parseFileName } from './audio-folder.ts';

/** The folder of the on-device database in a store. */
const DATABASE_FOLDER = 'database';

function isGone(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotFoundError';
}

/** All files below a folder with their sizes; none if the folder does not exist. */
async function filesIn(path: readonly string[]): Promise<{ name: string; bytes: number }[]> {
  const found: { name: string; bytes: number }[] = [];
  const visit = async (folder: FileSystemDirectoryHandle) => {
    for await (const [name, handle] of folder.entries()) {
      if (handle instanceof FileSystemDirectoryHandle) await visit(handle);
      else {
        const file = await (handle as FileSystemFileHandle).getFile().catch((error: unknown) => {
          // Deleted since it was listed.
          if (isGone(error)) return null;
          throw error;
        });
        if (file) found.push({ name, bytes: file.size });
      }
    }
  };
  try {
    let folder = await navigator.storage.getDirectory();
    for (const name of path) folder = await folder.getDirectoryHandle(name);
    await visit(folder);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
  return found;
}

/**
 * The contents of the origin-private file system, and the browser's storage estimate.
 * @param store the server's folder
 */
export function openStoredFiles(store: string): StoredFiles {
  return {
    async audio() {
      return (await filesIn(audioFolder(store))).flatMap(({ name, bytes }) => {
        const parsed = parseFileName(name);
        return parsed ? [{ ...parsed, bytes }] : [];
      });
    },
    async database() {
      return (await filesIn([store, DATABASE_FOLDER])).reduce((sum, { bytes }) => sum + bytes, 0);
    },
    async estimate() {
      const { usage, quota } = await navigator.storage.estimate();
      return usage === undefined || quota === undefined ? null : { usage, quota };
    },
  };
}

import { databaseBytes, type SqlDatabase } from '@linnet/local-db';
import type { StoredFiles } from '../../features/library/phone-space.ts';
import { audioFolder, parseFileName } from './audio-folder.ts';

function isNotFound(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotFoundError';
}

/** Lists all files in a folder and its subfolders. A folder that doesn't exist counts as empty. */
async function listFiles(path: readonly string[]): Promise<{ name: string; bytes: number }[]> {
  const files: { name: string; bytes: number }[] = [];
  const visit = async (folder: FileSystemDirectoryHandle) => {
    for await (const [name, handle] of folder.entries()) {
      if (handle instanceof FileSystemDirectoryHandle) await visit(handle);
      else {
        const file = await (handle as FileSystemFileHandle).getFile().catch((error: unknown) => {
          // The file was deleted after it was listed.
          if (isNotFound(error)) return null;
          throw error;
        });
        if (file) files.push({ name, bytes: file.size });
      }
    }
  };
  try {
    let folder = await navigator.storage.getDirectory();
    for (const name of path) folder = await folder.getDirectoryHandle(name);
    await visit(folder);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return files;
}

/**
 * Reports the sizes of files in the origin-private file system, and the browser's storage estimate.
 * @param store name of the folder for this server's files
 * @param database the database with all text and lists
 */
export function openStoredFiles(store: string, database: SqlDatabase): StoredFiles {
  return {
    async audio() {
      return (await listFiles(audioFolder(store))).flatMap(({ name, bytes }) => {
        const parsed = parseFileName(name);
        return parsed ? [{ ...parsed, bytes }] : [];
      });
    },
    database: () => databaseBytes(database),
    async estimate() {
      const { usage, quota } = await navigator.storage.estimate();
      return usage === undefined || quota === undefined ? null : { usage, quota };
    },
  };
}

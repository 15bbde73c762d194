import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type FolderAccess, FolderError } from '@linnet/sync';

/**
 * Gives tests in Node access to folders on this machine's disk.
 * @param paths paths of the folders, keyed by folder ID
 */
export function createDiskFolders(paths: Readonly<Record<string, string>>): FolderAccess {
  return {
    async *files(folderId, signal) {
      const folder = paths[folderId];
      if (folder === undefined) throw new FolderError('not_found');
      const names = await readdir(folder, { recursive: true }).catch((cause: unknown) => {
        throw new FolderError('not_found', { cause });
      });
      for (const path of names.sort()) {
        signal.throwIfAborted();
        const file = join(folder, path);
        const facts = await stat(file);
        if (!facts.isFile()) continue;
        yield {
          path,
          file: new File([await readFile(file)], basename(path), {
            lastModified: Math.round(facts.mtimeMs),
          }),
          delete: () => rm(file),
        };
      }
    },
  };
}

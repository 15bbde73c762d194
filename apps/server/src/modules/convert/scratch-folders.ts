import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { dayMs } from '../../calendar.ts';
import { ensurePrivateDir } from '../../data-dir.ts';

/**
 * Returns a function that creates a temporary folder for one conversion. The first call also deletes folders left
 * behind by killed processes. If that fails, the next call retries.
 */
export function createScratchFolders(dataDir: string): () => Promise<string> {
  let root: Promise<string> | undefined;
  const openRoot = async () => {
    const folder = await ensurePrivateDir(dataDir, path.join('scratch', 'convert'));
    for (const name of await readdir(folder)) {
      const leftover = path.join(folder, name);
      const stats = await stat(leftover).catch((error) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (stats && Date.now() - stats.mtimeMs > dayMs) {
        await rm(leftover, { recursive: true, force: true });
      }
    }
    return folder;
  };
  return async () => {
    root ??= openRoot().catch((error: unknown) => {
      root = undefined;
      throw error;
    });
    const folder = path.join(await root, randomUUID());
    await mkdir(folder, { mode: 0o700 });
    return folder;
  };
}

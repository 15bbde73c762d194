/**
 * The object store in DATA_DIR. An object is written to a temporary file and then renamed, so it is either complete or
 * doesn't exist.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Dirent, Stats } from 'node:fs';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { ensurePrivateDir } from '../../data-dir.ts';
import { createLocalUploads } from './local-uploads.ts';
import type { ListedObject, ObjectStore, StoredObject } from './port.ts';
import { checkKey, checkPrefix, StorageFailure } from './port.ts';

/** Time without a write after which an upload counts as abandoned, in milliseconds. */
const abandonedMs = 3_600_000;

/** Number of bytes received between checks of the free disk space. */
const checkEveryBytes = 64 * 1024 ** 2;

/**
 * Opens a store that keeps objects as files in DATA_DIR/objects.
 * @param reserve bytes of disk space to keep free for the database, which is on the same disk
 */
export async function openLocalStore(dataDir: string, reserve = 0): Promise<ObjectStore> {
  const root = await ensurePrivateDir(dataDir, 'objects');
  // The name isn't a valid key, so it can't collide with an object.
  const partialFolder = path.join(root, '.partial');
  await mkdir(partialFolder, { recursive: true, mode: 0o700 });
  await sweep(partialFolder);

  /** @throws StorageFailure full */
  async function checkReserve(): Promise<void> {
    const { bavail, bsize } = await statfs(root);
    if (bavail * bsize < reserve)
      throw new StorageFailure('full', 'free disk space is below DISK_RESERVE');
  }

  const toPath = (key: string): string => {
    checkKey(key);
    return path.join(root, key);
  };

  async function statObject(key: string): Promise<StoredObject | null> {
    const stats = await statOrNull(toPath(key));
    return stats?.isFile() ? { size: stats.size, storedAt: stats.mtime } : null;
  }

  return {
    id: 'local',
    gateway: null,
    uploads: createLocalUploads({
      folder: await ensurePrivateDir(dataDir, 'resumable'),
      stat: statObject,
      checkReserve,
      finish: async (file, key) => {
        await syncToDisk(file);
        await moveIntoPlace(file, toPath(key));
      },
    }),
    stat: statObject,

    async put(key, body, { maxBytes }) {
      const target = toPath(key);
      await checkReserve();
      const partial = path.join(partialFolder, randomUUID());
      const hash = createHash('sha256');
      let size = 0;
      let checkAt = checkEveryBytes;
      const file = await open(partial, 'wx', 0o600);
      try {
        try {
          for await (const chunk of body) {
            size += chunk.length;
            if (size > maxBytes)
              throw new StorageFailure('too-large', `larger than ${maxBytes} bytes`);
            if (size > checkAt) {
              await checkReserve();
              checkAt = size + checkEveryBytes;
            }
            hash.update(chunk);
            await file.writeFile(chunk);
          }
          await file.sync();
        } finally {
          await file.close();
        }
        await moveIntoPlace(partial, target);
      } catch (error) {
        await rm(partial, { force: true });
        throw toStorageFailure(error);
      }
      return { size, sha256: hash.digest('hex'), storedAt: new Date() };
    },

    async read(key, range) {
      const name = toPath(key);
      try {
        // Open the file before returning, because a missing object must cause an error before the response has started.
        const file = await open(name, 'r');
        return createReadStream(name, { fd: file, ...range });
      } catch (error) {
        throw isMissing(error) ? new StorageFailure('not-found', 'no such object', error) : error;
      }
    },

    async delete(key) {
      await rm(toPath(key), { force: true });
    },

    async *list(prefix) {
      checkPrefix(prefix);
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      yield* walk(root, folder, prefix);
    },
  };
}

/**
 * Yields the objects in a folder whose keys start with `prefix`. Subfolders that can't contain matching objects are
 * skipped.
 * @param folder the folder's part of the key: empty, or ending in a slash
 */
async function* walk(root: string, folder: string, prefix: string): AsyncIterable<ListedObject> {
  let entries: Dirent[];
  try {
    entries = await readdir(path.join(root, folder), { withFileTypes: true });
  } catch (error) {
    // Only a missing root is an error.
    if (isMissing(error) && folder !== '') return;
    throw error;
  }
  for (const entry of entries) {
    // Skip internal folders, which contain no objects.
    if (entry.name.startsWith('.')) continue;
    const key = `${folder}${entry.name}`;
    if (!key.startsWith(prefix)) continue;
    if (entry.isDirectory()) yield* walk(root, `${key}/`, prefix);
    else {
      const stats = await statOrNull(path.join(root, key));
      if (stats) yield { key, size: stats.size, storedAt: stats.mtime };
    }
  }
}

/** Returns a file's stats, or null if it doesn't exist. */
async function statOrNull(file: string): Promise<Stats | null> {
  try {
    return await stat(file);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Removes uploads abandoned by killed processes. Recent uploads are kept, because they may belong to a running process.
 */
async function sweep(partialFolder: string): Promise<void> {
  for (const name of await readdir(partialFolder)) {
    const file = path.join(partialFolder, name);
    const stats = await statOrNull(file);
    if (stats && Date.now() - stats.mtimeMs > abandonedMs) await rm(file, { force: true });
  }
}

/** Moves a flushed file to its final path, atomically and durably. */
async function moveIntoPlace(file: string, target: string): Promise<void> {
  const folder = path.dirname(target);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rename(file, target);
  await syncToDisk(folder);
}

/** Flushes writes to a file, or renames in a folder, to survive a power failure. */
async function syncToDisk(name: string): Promise<void> {
  const handle = await open(name, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function toStorageFailure(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
  return isFull ? new StorageFailure('full', 'the disk is full', error) : error;
}

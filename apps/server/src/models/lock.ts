/**
 * Locks a model folder, so that only one process at a time downloads into it. The lock is a lease file rather than a
 * database lock, because the folder may be local to one of several machines, and the command line downloads without a
 * database.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

const LOCK_FILE = '.lock';

/** Time in milliseconds after the last renewal, after which the holder is presumed dead. */
const LEASE_MS = 30_000;

export interface FolderLock {
  /** Aborts if a renewal fails, or if another process took over the lock while this process was suspended. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

const isErrorWith = (error: unknown, code: string) =>
  (error as NodeJS.ErrnoException).code === code;

async function statIfExists(file: string) {
  return stat(file).catch((error: unknown) => {
    if (isErrorWith(error, 'ENOENT')) return null;
    throw error;
  });
}

/** True if the lock was renewed less than a lease ago. Holders set the file's time from their own clocks. */
const isFresh = ({ mtimeMs }: { readonly mtimeMs: number }, leaseMs: number) =>
  Date.now() - mtimeMs < leaseMs;

/** Returns whether a process is currently downloading into a folder. */
export async function isLocked(folder: string, leaseMs = LEASE_MS): Promise<boolean> {
  const stats = await statIfExists(path.join(folder, LOCK_FILE));
  return stats !== null && isFresh(stats, leaseMs);
}

/**
 * Acquires the lock of a folder and renews it until it is released.
 * @returns null if another process holds it
 */
export async function lockFolder(folder: string, leaseMs = LEASE_MS): Promise<FolderLock | null> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, LOCK_FILE);
  const handle =
    (await create(file)) ?? ((await removeStale(file, leaseMs)) && (await create(file)));
  return handle ? hold(handle, file, leaseMs) : null;
}

async function create(file: string): Promise<FileHandle | null> {
  return open(file, 'wx', 0o600).catch((error: unknown) => {
    if (isErrorWith(error, 'EEXIST')) return null;
    throw error;
  });
}

/** Removes the lock of a dead process. Returns false if the lock is fresh. */
async function removeStale(file: string, leaseMs: number): Promise<boolean> {
  const stats = await statIfExists(file);
  if (!stats) return true;
  if (isFresh(stats, leaseMs)) return false;
  // If several processes try to rename the stale file, only one succeeds. A late process may instead have moved a new
  // lock, in which case it puts it back.
  const movedPath = `${file}.${randomUUID()}`;
  try {
    await rename(file, movedPath);
  } catch (error) {
    if (isErrorWith(error, 'ENOENT')) return false;
    throw error;
  }
  const isStale = (await stat(movedPath)).ino === stats.ino;
  if (!isStale) {
    await link(movedPath, file).catch((error: unknown) => {
      if (!isErrorWith(error, 'EEXIST')) throw error;
    });
  }
  await rm(movedPath);
  return isStale;
}

async function hold(handle: FileHandle, file: string, leaseMs: number): Promise<FolderLock> {
  const controller = new AbortController();
  const { ino } = await handle.stat();
  const isOurs = async () => (await statIfExists(file))?.ino === ino;
  const renew = async () => {
    if (await isOurs()) {
      const now = new Date();
      await handle.utimes(now, now);
    } else {
      controller.abort();
    }
  };
  // A failed renewal counts as a lost lock.
  const timer = setInterval(() => void renew().catch(() => controller.abort()), leaseMs / 3);
  timer.unref();
  return {
    lost: controller.signal,
    async release() {
      clearInterval(timer);
      if (await isOurs()) await rm(file, { force: true });
      await handle.close();
    },
  };
}

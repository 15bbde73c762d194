/** The part of a file handle that exists in workers only. */
type WorkerFileHandle = { createSyncAccessHandle(): Promise<unknown> };

const prototype = FileSystemFileHandle.prototype as FileSystemFileHandle & WorkerFileHandle;
const { createSyncAccessHandle } = prototype;

/**
 * Replaces one opening of a file of SQLite's pool in this worker.
 * @param nth which one, from 1. SQLite opens a file of its own, which doesn't count, before those of the pool.
 */
export function replaceOpening(
  nth: number,
  replacement: WorkerFileHandle['createSyncAccessHandle'],
): void {
  let openings = -1;
  prototype.createSyncAccessHandle = function () {
    openings += 1;
    return openings === nth ? replacement() : createSyncAccessHandle.call(this);
  };
}

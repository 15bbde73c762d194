/** The part of a file handle that exists only in workers. */
type WorkerFileHandle = { createSyncAccessHandle(): Promise<unknown> };

const prototype = FileSystemFileHandle.prototype as FileSystemFileHandle & WorkerFileHandle;
const { createSyncAccessHandle } = prototype;

/**
 * Replaces this worker's `nth` attempt to open one of SQLite's pool files.
 * @param nth starts at 1, and doesn't count the file that SQLite opens for itself before the pool's files
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

import { copyFileSync, renameSync, statSync, truncateSync } from 'node:fs';

/** Size in bytes at which a log is rotated. The previous log is kept, so a service's logs take up twice as much. */
const LOG_BYTES = 64 * 1024 * 1024;

/**
 * Copies a log that has reached a size to `FILE.1`, replacing the previous copy, and empties it. The process that writes
 * it has opened it for appending, and continues at its start. An entry that is written in between is lost.
 * @returns whether the log was rotated. False if there is no log
 * @throws an error of the file system, for example if the disk is full. Both logs are unchanged then
 */
export function rotateLog(file: string, maxBytes = LOG_BYTES): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size < maxBytes) return false;
  copyFileSync(file, `${file}.1.partial`);
  renameSync(`${file}.1.partial`, `${file}.1`);
  truncateSync(file);
  return true;
}

import type { WatchedFolder } from '../ports/folders.ts';

/** Returns the progress of a folder's import as a percentage of its files. */
export function folderPercent({
  number,
  total,
  fraction,
}: Extract<WatchedFolder['state'], { status: 'importing' }>): number {
  return (100 * (number - 1 + fraction)) / total;
}

import path from 'node:path';

/** True for a URL, false for a path. */
export function isAddress(from: string): boolean {
  return /^https?:\/\//.test(from);
}

/** Returns the file name in a URL or path. */
export function getFileName(from: string): string {
  return path.basename(isAddress(from) ? new URL(from).pathname : from);
}

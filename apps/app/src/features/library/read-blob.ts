import type { ReadAt } from '@linnet/audio/samples';

/**
 * Returns a function that reads ranges of a file. The function throws the browser's DOMException if the file is
 * unreadable.
 */
export function createBlobReader(file: Blob): ReadAt {
  return async (start, length) =>
    new Uint8Array(await file.slice(start, start + length).arrayBuffer());
}

import { addAbortSignal } from 'node:stream';
import { announcedSeconds } from '@linnet/audio/samples';
import type { ObjectStore } from '../providers/storage/port.ts';

/**
 * Returns the length in seconds that a stored Ogg Opus or WAV object announces, or null if unknown. Reads only its
 * start and end. Charges are based on the length measured during decoding.
 */
export async function probeSeconds(
  store: ObjectStore,
  key: string,
  signal?: AbortSignal,
): Promise<number | null> {
  const object = await store.stat(key);
  if (!object || object.size === 0) return null;
  return announcedSeconds(async (start, length) => {
    const end = Math.min(object.size, start + length) - 1;
    if (end < start) return new Uint8Array();
    const part = await store.read(key, { start, end });
    return Buffer.concat(await (signal ? addAbortSignal(signal, part) : part).toArray());
  }, object.size);
}

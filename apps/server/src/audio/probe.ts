import { addAbortSignal } from 'node:stream';
import { announcedSeconds } from '@linnet/audio/samples';
import type { ObjectStore } from '../providers/storage/port.ts';

/**
 * Length in seconds that a stored Ogg Opus or WAV object announces, read from its start and end only; null if unknown.
 * Charges are based on the length measured during decoding.
 */
export async function probeSeconds(
  store: ObjectStore,
  key: string,
  signal?: AbortSignal,
): Promise<number | null> {
  const found = await store.stat(key);
  if (!found || found.size === 0) return null;
  return announcedSeconds(async (start, length) => {
    const end = Math.min(found.size, start + length) - 1;
    if (end < start) return new Uint8Array();
    const part = await store.read(key, { start, end });
    return Buffer.concat(await (signal ? addAbortSignal(signal, part) : part).toArray());
  }, found.size);
}

import { addAbortSignal } from 'node:stream';
import { type AudioKind, detectAudioKind, KIND_BYTES } from '@linnet/audio/kind';
import { findMovie, hasKnownCodec, isMp4 } from '@linnet/audio/mp4';
import { declaredSeconds, MAX_SECONDS, type ReadAt } from '@linnet/audio/samples';
import type { ObjectStore } from '../providers/storage/port.ts';

/** A file's kind, and its length if the file declares it. */
export interface AudioProbe {
  /** Null if the content isn't a known kind, or is an MP4 file with an unknown codec. */
  readonly kind: AudioKind | null;
  /**
   * True for an MP4 file without an index. Recorders write the index last, and the file can't be decoded without it.
   */
  readonly isIncomplete: boolean;
  /** Length in seconds declared by an Ogg Opus or WAV file. Null for other files. */
  readonly declaredSeconds: number | null;
}

/**
 * Determines a stored object's kind and declared length by reading only its start and end. Charges are based on the
 * length measured during decoding.
 * @returns null if the object doesn't exist or is empty
 */
export async function probeObject(
  store: ObjectStore,
  key: string,
  signal?: AbortSignal,
): Promise<AudioProbe | null> {
  const object = await store.stat(key);
  if (!object || object.size === 0) return null;
  return probeAudio(async (start, length) => {
    const end = Math.min(object.size, start + length) - 1;
    if (end < start) return new Uint8Array();
    const part = await store.read(key, { start, end });
    return Buffer.concat(await (signal ? addAbortSignal(signal, part) : part).toArray());
  }, object.size);
}

/**
 * Determines a file's kind and declared length.
 * @param size file size in bytes
 */
export async function probeAudio(read: ReadAt, size: number): Promise<AudioProbe> {
  const beginning = await read(0, Math.min(size, KIND_BYTES));
  const movie = isMp4(beginning) ? await findMovie(read, size) : null;
  const hasUnknownCodec = movie !== null && !(await hasKnownCodec(read, movie, size));
  return {
    kind: hasUnknownCodec ? null : detectAudioKind(beginning),
    isIncomplete: isMp4(beginning) && movie === null,
    declaredSeconds: await declaredSeconds(read, size),
  };
}

/** Lowest bit rate of speech, in bytes per second: 6 kbit/s, the minimum of Opus (RFC 6716, section 2.1.1). */
const MIN_BYTES_PER_SECOND = 750;

/**
 * Estimates a file's length, to limit the decoding time.
 * @param storedSeconds length in the recording's row, or 0 if unknown
 * @param size file size in bytes
 */
export function expectedSeconds(
  { declaredSeconds }: Pick<AudioProbe, 'declaredSeconds'>,
  storedSeconds: number,
  size: number,
): number {
  if (declaredSeconds !== null) return declaredSeconds;
  return Math.min(MAX_SECONDS, storedSeconds > 0 ? storedSeconds : size / MIN_BYTES_PER_SECOND);
}

import type { ObjectStore } from '../providers/storage/port.ts';

/** Enough for both Opus headers, and for the chunks before a WAV file's data. */
const headBytes = 64 * 1024;
/** An Ogg page has at most 65,307 bytes (RFC 3533, 6): the last one begins in here. */
const tailBytes = 66 * 1024;
/** Ogg Opus counts in 48 kHz samples whatever the input's rate was (RFC 7845, 4). */
const granuleRate = 48_000;

/**
 * Seconds of audio in a stored Ogg Opus or WAV object, from its two ends alone; null when that cannot
 * be told. What a recording costs is measured again while it is decoded.
 */
export async function probeSeconds(store: ObjectStore, key: string): Promise<number | null> {
  const found = await store.stat(key);
  if (!found || found.size === 0) return null;
  const part = async (start: number, length: number) => {
    const end = Math.min(found.size, start + length) - 1;
    return Buffer.concat(await (await store.read(key, { start, end })).toArray());
  };
  const head = await part(0, headBytes);
  if (head.toString('latin1', 0, 4) === 'OggS') {
    return oggSeconds(head, await part(Math.max(0, found.size - tailBytes), tailBytes));
  }
  if (head.toString('latin1', 0, 4) === 'RIFF') return waveSeconds(head, found.size);
  return null;
}

function oggSeconds(head: Buffer, tail: Buffer): number | null {
  const opus = head.indexOf('OpusHead');
  const page = tail.lastIndexOf('OggS');
  if (opus < 0 || opus + 12 > head.length || page < 0 || page + 14 > tail.length) return null;
  const preSkip = head.readUInt16LE(opus + 10);
  const samples = Number(tail.readBigInt64LE(page + 6)) - preSkip;
  return samples > 0 ? samples / granuleRate : 0;
}

function waveSeconds(head: Buffer, size: number): number | null {
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= head.length; ) {
    const name = head.toString('latin1', at, at + 4);
    const length = head.readUInt32LE(at + 4);
    if (name === 'fmt ' && at + 20 <= head.length) bytesPerSecond = head.readUInt32LE(at + 16);
    if (name === 'data') {
      if (bytesPerSecond === 0) return null;
      return Math.min(length, size - at - 8) / bytesPerSecond;
    }
    // Chunks begin at even offsets.
    at += 8 + length + (length % 2);
  }
  return null;
}

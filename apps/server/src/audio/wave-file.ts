import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { AudioFailure } from '@linnet/audio/failure';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { parseWave } from '@linnet/audio/wave';
import { monoStream } from './resample.ts';

/** Bytes read at a time: eight seconds at the recorder's rate. */
const stepBytes = 256 * 1024;
/** More than any writer puts before the data. */
const maxChunks = 100;
/** Hertz that sound is recorded with. Others would need filters, or outputs, without measure. */
const rates = { lowest: 4_000, highest: 384_000 };

/**
 * The samples of a WAV file, 16 kHz mono, part by part.
 * @throws AudioFailure
 */
export async function* waveSamples(name: string): AsyncIterable<Int16Array> {
  const file = await open(name);
  try {
    const { channels, sampleRate, start, end } = await findData(file);
    const stream = monoStream(channels, sampleRate, SAMPLE_RATE);
    const frameBytes = channels * 2;
    const step = Math.max(1, Math.floor(stepBytes / frameBytes)) * frameBytes;
    for (let at = start; at < end; ) {
      const bytes = await readAt(file, at, Math.min(step, end - at));
      const whole = bytes.length - (bytes.length % frameBytes);
      if (whole === 0) break;
      yield stream.push(new Int16Array(bytes.buffer, 0, whole / 2));
      at += whole;
    }
    yield stream.end();
  } finally {
    await file.close();
  }
}

interface Data {
  readonly channels: number;
  readonly sampleRate: number;
  /** Where the samples begin in the file, and where they end at the latest; bytes. */
  readonly start: number;
  readonly end: number;
}

/** Walks the chunks up to the data; what they say is for `parseWave` to judge. */
async function findData(file: FileHandle): Promise<Data> {
  const parts = [await readAt(file, 0, 12)];
  for (let at = 12, count = 0; count < maxChunks; count += 1) {
    const head = await readAt(file, at, 8);
    if (head.length < 8) break;
    const chunk = head.toString('latin1', 0, 4);
    const size = head.readUInt32LE(4);
    if (chunk === 'fmt ') {
      const format = await readAt(file, at, 24);
      // Longer ones say more, which nobody asks for.
      format.writeUInt32LE(16, 4);
      parts.push(format);
    }
    if (chunk === 'data') {
      const { channels, sampleRate } = parseWave(Buffer.concat([...parts, head]));
      if (sampleRate < rates.lowest || sampleRate > rates.highest) {
        throw new AudioFailure('not-wave', `${sampleRate} Hz`);
      }
      return { channels, sampleRate, start: at + 8, end: at + 8 + size };
    }
    // RIFF pads chunks to even sizes.
    at += 8 + size + (size % 2);
  }
  throw new AudioFailure('not-wave', 'no data chunk');
}

/** Bytes in memory of their own; fewer at the end of the file. */
async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.from(new ArrayBuffer(length));
  let count = 0;
  while (count < length) {
    const { bytesRead } = await file.read(bytes, count, length - count, at + count);
    if (bytesRead === 0) break;
    count += bytesRead;
  }
  return bytes.subarray(0, count);
}

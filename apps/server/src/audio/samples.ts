import type { Readable } from 'node:stream';
import { KIND_BYTES } from '@linnet/audio/kind';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { createSampleReader, type SampleReader } from '@linnet/audio/samples';

/**
 * Decodes an Ogg Opus or WAV file into batches of 16 kHz mono samples. Uses an entire core. Memory use is independent
 * of the audio's length.
 * @param maxSamples a longer file fails with `too-long`
 * @param onRead receives the number of bytes read so far
 * @throws AudioFailure
 */
export async function* decodeSamples(
  source: Readable,
  maxSamples: number,
  onRead: (bytes: number) => void,
): AsyncIterable<Int16Array> {
  const opus = await loadOpus(readOpusWasm());
  let reader: SampleReader | null = null;
  let beginning: Buffer = Buffer.alloc(0);
  let bytesRead = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytesRead += chunk.length;
      let bytes = chunk;
      if (!reader) {
        beginning = Buffer.concat([beginning, chunk]);
        if (beginning.length < KIND_BYTES) continue;
        reader = createSampleReader(beginning, opus, maxSamples);
        bytes = beginning;
      }
      yield* reader.push(bytes);
      onRead(bytesRead);
    }
    if (bytesRead === 0) return;
    if (!reader) {
      reader = createSampleReader(beginning, opus, maxSamples);
      yield* reader.push(beginning);
      onRead(bytesRead);
    }
    yield* reader.end();
  } finally {
    reader?.free();
  }
}

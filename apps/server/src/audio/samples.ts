import type { Readable } from 'node:stream';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { MAGIC_BYTES, type SampleReader, sampleReader } from '@linnet/audio/samples';

/**
 * The samples of an Ogg Opus or WAV file, 16 kHz mono, batch by batch. Decoding takes all of a core; its memory does
 * not depend on the length of the audio, or on what the file announces.
 * @param mostSamples the budget: with more, decoding ends with `too-long`
 * @param onRead is told how many bytes of the file were read so far
 * @throws AudioFailure
 */
export async function* samplesOf(
  source: Readable,
  mostSamples: number,
  onRead: (bytes: number) => void,
): AsyncIterable<Int16Array> {
  const opus = await loadOpus(readOpusWasm());
  let reader: SampleReader | null = null;
  let beginning: Buffer = Buffer.alloc(0);
  let read = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      read += chunk.length;
      let bytes = chunk;
      if (!reader) {
        beginning = Buffer.concat([beginning, chunk]);
        if (beginning.length < MAGIC_BYTES) continue;
        reader = sampleReader(beginning, opus, mostSamples);
        bytes = beginning;
      }
      yield* reader.push(bytes);
      onRead(read);
    }
    if (reader) yield* reader.end();
    // Too short to say what it is.
    else if (read > 0) sampleReader(beginning, opus, mostSamples);
  } finally {
    reader?.free();
  }
}

import { createReadStream } from 'node:fs';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { type SampleReader, sampleReader } from '@linnet/audio/samples';

/** Bytes read at a time: half a minute of the recorder's Ogg, little memory. */
const stepBytes = 256 * 1024;

/**
 * The samples of an Ogg Opus or WAV file, 16 kHz mono, part by part. For a thread: decoding takes all
 * of a core. It takes the same memory however long the recording is.
 * @param onRead is told how many bytes of the file were read so far
 * @throws AudioFailure
 */
export async function* samplesOf(
  file: string,
  onRead: (bytes: number) => void,
): AsyncIterable<Int16Array> {
  const opus = await loadOpus(readOpusWasm());
  let reader: SampleReader | null = null;
  let read = 0;
  try {
    for await (const bytes of createReadStream(file, { highWaterMark: stepBytes })) {
      reader ??= sampleReader(bytes, opus);
      yield reader.push(bytes);
      read += bytes.length;
      onRead(read);
    }
    if (reader) yield reader.end();
  } finally {
    reader?.free();
  }
}

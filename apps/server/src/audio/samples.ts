import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PacketDecoder } from '@linnet/audio/convert';
import { GRANULE_RATE, SAMPLE_RATE } from '@linnet/audio/format';
import { OggOpusReader } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { waveSamples } from './wave-file.ts';

/** Bytes of Ogg decoded at a time: half a minute of the recorder's, little memory. */
const stepBytes = 256 * 1024;

/**
 * The samples of an Ogg Opus or WAV file, 16 kHz mono, part by part. For a thread: decoding takes all
 * of a core. It takes the same memory however long the recording is.
 * @throws AudioFailure
 */
export async function* samplesOf(file: string): AsyncIterable<Int16Array> {
  yield* (await isOgg(file)) ? decodeOgg(file) : waveSamples(file);
}

async function isOgg(name: string): Promise<boolean> {
  const file = await open(name);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1') === 'OggS';
  } finally {
    await file.close();
  }
}

async function* decodeOgg(file: string): AsyncIterable<Int16Array> {
  const toSamples = (granules: number) => Math.round((granules * SAMPLE_RATE) / GRANULE_RATE);
  const opus = await loadOpus(await readOpusWasm());
  const reader = new OggOpusReader();
  let decoder: PacketDecoder | null = null;
  // The last page says how long the audio is, and its packets may be longer: they are held back.
  let held: Int16Array = new Int16Array();
  let given = 0;
  try {
    for await (const bytes of createReadStream(file, { highWaterMark: stepBytes })) {
      const packets = reader.push(bytes);
      if (packets.length === 0) continue;
      decoder ??= new PacketDecoder(opus, toSamples(reader.head?.preSkip ?? 0));
      yield held;
      given += held.length;
      held = decoder.pushPackets(packets);
    }
    reader.end();
    const total = toSamples(reader.granules - (reader.head?.preSkip ?? 0));
    yield held.subarray(0, Math.max(0, total - given));
  } finally {
    decoder?.free();
  }
}

import { open, readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PacketDecoder } from '@linnet/audio/convert';
import { AudioFailure } from '@linnet/audio/failure';
import { GRANULE_RATE, SAMPLE_RATE } from '@linnet/audio/format';
import { demuxOgg } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { parseWave, WAVE_HEADER_BYTES, waveHeader } from '@linnet/audio/wave';
import type { DecodeJob, DecodeReply } from './decode.ts';
import { toMono } from './resample.ts';

/** Packets decoded at a time: 20 s, little memory. */
const batch = 1000;

/** Yields 16 kHz mono samples, part by part. */
type Samples = AsyncIterable<Int16Array> | Iterable<Int16Array>;

async function samplesOf(bytes: Buffer<ArrayBuffer>): Promise<Samples> {
  const magic = bytes.toString('latin1', 0, 4);
  if (magic === 'OggS') return decodeOgg(bytes);
  const wave = parseWave(bytes);
  return [toMono(wave.samples, wave.channels, wave.sampleRate, SAMPLE_RATE)];
}

async function* decodeOgg(bytes: Uint8Array): AsyncIterable<Int16Array> {
  const toSamples = (granules: number) => Math.round((granules * SAMPLE_RATE) / GRANULE_RATE);
  const ogg = demuxOgg(bytes);
  const decoder = new PacketDecoder(await loadOpus(await readOpusWasm()), toSamples(ogg.preSkip));
  let left = Math.max(0, toSamples(ogg.granules - ogg.preSkip));
  try {
    for (let at = 0; at < ogg.packets.length; at += batch) {
      const samples = decoder.pushPackets(ogg.packets.slice(at, at + batch));
      // The last page says how long the audio is; its packet may be longer.
      yield samples.subarray(0, left);
      left = Math.max(0, left - samples.length);
    }
  } finally {
    decoder.free();
  }
}

async function decode({ input, output }: DecodeJob): Promise<DecodeReply> {
  const bytes = (await readFile(input)) as Buffer<ArrayBuffer>;
  if (bytes.length === 0) return { ok: false, code: 'empty', detail: 'no bytes' };
  const file = await open(output, 'w', 0o600);
  let count = 0;
  try {
    // The header goes before samples whose number is known after them.
    await file.write(new Uint8Array(WAVE_HEADER_BYTES), 0, WAVE_HEADER_BYTES, 0);
    for await (const samples of await samplesOf(bytes)) {
      const part = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
      await file.write(part, 0, part.length, WAVE_HEADER_BYTES + count * 2);
      count += samples.length;
    }
    await file.write(waveHeader(count, SAMPLE_RATE), 0, WAVE_HEADER_BYTES, 0);
  } catch (error) {
    if (!(error instanceof AudioFailure)) throw error;
    return { ok: false, code: 'unreadable', detail: error.code };
  } finally {
    await file.close();
  }
  if (count === 0) return { ok: false, code: 'empty', detail: 'no samples' };
  return { ok: true, seconds: count / SAMPLE_RATE };
}

parentPort?.postMessage(await decode(workerData));

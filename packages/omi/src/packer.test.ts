import { execFileSync } from 'node:child_process';
import { PacketDecoder, PacketEncoder } from '@linnet/audio/convert';
import { PACKET_BYTES } from '@linnet/audio/format';
import { demuxOgg } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { createMonoStream } from '@linnet/audio/resample';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type OmiCodec, omiCodec, packetMs } from './codecs.ts';
import { createPacker, padPackets } from './packer.ts';
import type { AudioItem } from './packets.ts';
import { decodeSamples } from './samples.ts';

const opus = await loadOpus(readOpusWasm());
const getCodec = (id: number) => omiCodec(id) as OmiCodec;
const packet = (bytes: Uint8Array): AudioItem => ({ type: 'packet', bytes });

/** Converts between a raw format and 16-bit samples with FFmpeg. */
function ffmpeg(from: string, to: string, input: Uint8Array): Buffer {
  const rawOptions = (format: string) => ['-f', format, '-ar', '8000', '-ac', '1'];
  const options = ['-v', 'error', ...rawOptions(from), '-i', 'pipe:0', ...rawOptions(to), 'pipe:1'];
  return execFileSync('ffmpeg', options, { input });
}

/** Encodes a tone to Opus packets with FFmpeg's libopus in low-delay mode, like an Omi. */
function opusPackets(ms: 10 | 20, seconds: number): Uint8Array[] {
  const tone = Int16Array.from({ length: 16_000 * seconds }, (_, index) =>
    Math.round(9000 * Math.sin(index / 11) * Math.sin(index / 3000)),
  );
  const rawOptions = ['-f', 's16le', '-ar', '16000', '-ac', '1', '-i', 'pipe:0'];
  const encoder = [
    '-c:a',
    'libopus',
    '-application',
    'lowdelay',
    '-vbr',
    'constrained',
    '-b:a',
    '32k',
  ];
  const options = ['-v', 'error', ...rawOptions, ...encoder, '-frame_duration', String(ms)];
  const input = Buffer.from(tone.buffer);
  const ogg = execFileSync('ffmpeg', [...options, '-f', 'ogg', 'pipe:1'], { input });
  return demuxOgg(ogg).packets.map((each) => Uint8Array.from(each));
}

function decodeAll(packets: readonly Uint8Array[]): Int16Array {
  const decoder = new PacketDecoder(opus, 0);
  const pcm = decoder.pushPackets(packets);
  decoder.free();
  return pcm;
}

function split(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / PACKET_BYTES }, (_, index) =>
    bytes.subarray(index * PACKET_BYTES, (index + 1) * PACKET_BYTES),
  );
}

/** Returns the frames of a padded packet (RFC 6716, section 3.2.5). */
function unpackFrames(packed: Uint8Array): Uint8Array[] {
  if ((packed[0] as number) % 4 === 0) return [packed.subarray(1)];
  const flags = packed[1] as number;
  let offset = 2;
  const padding = flags & 64 ? (packed[offset++] as number) : 0;
  const end = packed.length - padding;
  expect(padding).toBeLessThan(255);
  if ((flags & 63) === 1) return [packed.subarray(offset, end)];
  expect(flags & 63).toBe(2);
  let size = packed[offset++] as number;
  if (size >= 252) size += 4 * (packed[offset++] as number);
  return [packed.subarray(offset, offset + size), packed.subarray(offset + size, end)];
}

it('decodes µ-law like FFmpeg, all 256 bytes', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const expected = ffmpeg('mulaw', 's16le', bytes);
  expect(Buffer.from(decodeSamples('mulaw', bytes).buffer)).toEqual(expected);
});

it('decodes PCM like FFmpeg, all 65,536 samples', () => {
  const samples = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768);
  const bytes = new Uint8Array(samples.buffer);
  expect(decodeSamples('pcm', bytes)).toEqual(samples);
  expect(Buffer.from(decodeSamples('pcm', bytes).buffer)).toEqual(ffmpeg('s16le', 's16le', bytes));
});

it.each([20, 21])(
  'keeps the frames of codec %i bit for bit, and decodes to the same samples',
  (id) => {
    const codec = getCodec(id);
    const packets = opusPackets(packetMs(codec) as 10 | 20, 10);
    expect(packets.length).toBeGreaterThan(450);
    const packer = createPacker(codec, opus);
    const packed = split(packer.push(packets.map(packet)));
    const count = packed.flatMap(unpackFrames).length;
    expect(packed.flatMap(unpackFrames)).toEqual(
      packets.slice(0, count).map((each) => each.subarray(1)),
    );
    expect(packets.length - count).toBeLessThan(2);
    expect(decodeAll(packed)).toEqual(decodeAll(packets.slice(0, count)));
  },
);

it('pads packets of every size that fits', () => {
  for (let size = 1; size <= PACKET_BYTES; size += 1) {
    const bytes = Uint8Array.from({ length: size }, (_, index) => (index === 0 ? 23 << 3 : index));
    const packed = padPackets([bytes]) as Uint8Array;
    expect(packed).toHaveLength(PACKET_BYTES);
    expect(unpackFrames(packed)).toEqual([bytes.subarray(1)]);
  }
  expect(padPackets([new Uint8Array(PACKET_BYTES + 1)])).toBeNull();
});

it('pads pairs of packets of every size that fits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 160 }), fc.integer({ min: 1, max: 160 }), (one, two) => {
      const pair = [one, two].map((size) => new Uint8Array(size).fill(22 << 3));
      const packed = padPackets(pair);
      expect(packed !== null).toBe(one + two <= 159);
      if (!packed) return;
      expect(packed).toHaveLength(PACKET_BYTES);
      expect(unpackFrames(packed)).toEqual(pair.map((each) => each.subarray(1)));
    }),
    { numRuns: 1000 },
  );
});

it.each([20, 21])('fills gaps of codec %i with silence of the same length', (id) => {
  const codec = getCodec(id);
  const ms = packetMs(codec) as 10 | 20;
  const packets = opusPackets(ms, 2);
  const lostPackets = 200 / ms;
  const start = 600 / ms;
  const items: AudioItem[] = [
    ...packets.slice(0, start).map(packet),
    { type: 'gap', notifications: lostPackets, packets: lostPackets },
    ...packets.slice(start + lostPackets, 1600 / ms).map(packet),
  ];
  const packer = createPacker(codec, opus);
  const pcm = decodeAll(split(packer.push(items)));
  const completeSamples = decodeAll(packets.slice(0, 1600 / ms));
  expect(pcm).toHaveLength(completeSamples.length);
  expect(pcm.subarray(0, 16 * 600)).toEqual(completeSamples.subarray(0, 16 * 600));
  // The codec overlaps frames, so the gap begins and ends with a few milliseconds of its neighbors.
  const loudest = Math.max(...pcm.subarray(16 * 610, 16 * 800).map(Math.abs));
  expect(loudest).toBeLessThan(10);
  // After a few packets, the decoder's output equals the one without the gap.
  const error = pcm
    .subarray(16 * 900)
    .reduce(
      (sum, sample, at) => sum + (sample - (completeSamples[16 * 900 + at] as number)) ** 2,
      0,
    );
  const energy = completeSamples.subarray(16 * 900).reduce((sum, sample) => sum + sample ** 2, 0);
  expect(error / energy).toBeLessThan(0.01);
});

it('reencodes packets that do not fit, without changing the length', () => {
  const packer = createPacker(getCodec(20), opus);
  const [first, second] = opusPackets(10, 1) as [Uint8Array, Uint8Array];
  const largePacket = new Uint8Array(150);
  largePacket.set(second);
  const packed = packer.push([packet(first), packet(largePacket)]);
  expect(packed).toHaveLength(PACKET_BYTES);
  expect(decodeAll(split(packed))).toHaveLength(320);
});

it('completes an odd number of packets with silence', () => {
  const packets = opusPackets(10, 1).slice(0, 3);
  const packer = createPacker(getCodec(20), opus);
  expect(packer.push(packets.map(packet))).toHaveLength(PACKET_BYTES);
  expect(packer.end()).toHaveLength(PACKET_BYTES);
});

it.each([0, 1, 10, 11])('encodes codec %i exactly like its samples', (id) => {
  const codec = getCodec(id);
  const format = codec.format === 'mulaw' ? 'mulaw' : 'pcm';
  const { samples, sampleRate, bytes = 0 } = codec;
  const packets = Array.from({ length: 100 }, (_, index) =>
    Uint8Array.from({ length: bytes ?? 0 }, (__, at) => (index * 13 + at * 5) & 0x3f),
  );
  const items: AudioItem[] = packets.map(packet);
  items.splice(40, 5, { type: 'gap', notifications: 5, packets: 5 });
  const packer = createPacker(codec, opus);
  const packed = Buffer.concat([packer.push(items), packer.end()]);

  const received = Buffer.concat(packets);
  const pcm = ffmpeg(format === 'mulaw' ? 'mulaw' : 's16le', 's16le', received);
  pcm.fill(0, 40 * samples * 2, 45 * samples * 2);
  const resampler = createMonoStream(1, sampleRate, 16_000);
  const input = new Int16Array(new Uint8Array(pcm).buffer);
  const encoder = new PacketEncoder(opus);
  const expected = Buffer.concat([
    encoder.push(resampler.push(input)),
    encoder.push(resampler.end()),
    encoder.end(),
  ]);
  encoder.free();
  expect(packed.equals(expected)).toBe(true);
});

import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { muxOgg } from '@linnet/audio/ogg';
import { parseWave, WAVE_HEADER_BYTES, waveHeader } from '@linnet/audio/wave';
import { limits } from '@linnet/contract/limits';
import type { TestContext } from 'vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toneWave } from '../../test/uploads.ts';
import { readScene } from '../providers/speech/scene-audio.ts';
import { decodeToWave as decodeFromStream, decodeToMp3 as mp3FromStream } from './decode.ts';

const scene = new URL('../../../virtual-recorder/scenes/microphone.ogg', import.meta.url);
const never = new AbortController().signal;
let folder: string;
let speech: Int16Array;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'linnet-decode-'));
  speech = (await readScene('microphone')).samples;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function fileOf(bytes: Uint8Array): Promise<{ input: string; output: string }> {
  const input = path.join(folder, crypto.randomUUID());
  await writeFile(input, bytes);
  return { input, output: `${input}.out` };
}

/** Decodes a file with a budget of two hours. */
const fromFile =
  (decode: typeof decodeFromStream) =>
  async (
    { input, output }: { input: string; output: string },
    signal: AbortSignal,
    onProgress?: (fraction: number) => void,
  ) => {
    const { size } = await stat(input);
    return decode(
      { source: createReadStream(input), size, output, mostSeconds: 7200 },
      signal,
      onProgress,
    );
  };
const decodeToWave = fromFile(decodeFromStream);
const decodeToMp3 = fromFile(mp3FromStream);

describe('decoding to WAV', () => {
  it('gives every sample of the recording, though it reads the file in pieces', async () => {
    const files = await fileOf(await readFile(scene));
    const { seconds, peaks } = await decodeToWave(files, never);
    const { samples, sampleRate, channels } = parseWave(await readFile(files.output));
    expect([sampleRate, channels]).toEqual([16_000, 1]);
    expect(seconds).toBe(speech.length / 16_000);
    expect(peaks).toHaveLength(limits.recording.peaks);
    expect(Math.max(...peaks)).toBeGreaterThan(50);
    expect(Buffer.from(samples.slice().buffer).equals(Buffer.from(speech.slice().buffer))).toBe(
      true,
    );
  });
});

describe('progress', () => {
  it('rises with what is read, again and again', async () => {
    const count = 600 * 16_000;
    const files = await fileOf(waveHeader(count, 16_000));
    await truncate(files.input, WAVE_HEADER_BYTES + count * 2);
    const seen: number[] = [];
    await decodeToWave(files, never, (fraction) => seen.push(fraction));
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(Math.max(...seen)).toBeLessThanOrEqual(1);
  });
});

describe('an mp3', () => {
  it('has all frames whole, and is as long as the recording', async () => {
    const files = await fileOf(await readFile(scene));
    expect((await decodeToMp3(files, never)).seconds).toBe(speech.length / 16_000);
    const mp3 = await readFile(files.output);
    const seconds = (framesOf(mp3) * 576) / 16_000;
    // The encoder's delay, and the filling of the last frame.
    expect(seconds - speech.length / 16_000).toBeGreaterThan(0);
    expect(seconds - speech.length / 16_000).toBeLessThan(0.15);
  });

  it('sounds the same to another decoder', async (context) => {
    const files = await fileOf(await readFile(scene));
    await decodeToMp3(files, never);
    const wav = `${files.output}.wav`;
    tool(context, 'ffmpeg', ['-v', 'error', '-f', 'mp3', '-i', files.output, wav]);
    const theirs = parseWave(await readFile(wav)).samples;
    // Encoder and decoder delay the sound: the right shift is the one that fits.
    const fits = Array.from({ length: 2400 }, (_, shift) => likeness(speech, theirs, shift));
    expect(Math.max(...fits)).toBeGreaterThan(0.98);
  });

  it('is made of WAV too', async () => {
    const files = await fileOf(toneWave(3));
    expect((await decodeToMp3(files, never)).seconds).toBe(3);
    expect(framesOf(await readFile(files.output))).toBeGreaterThan(83);
  });

  it('is made of an hour of WAV', async () => {
    const count = 3600 * 16_000;
    const files = await fileOf(waveHeader(count, 16_000));
    await truncate(files.input, WAVE_HEADER_BYTES + count * 2);
    expect((await decodeToMp3(files, never)).seconds).toBe(3600);
    expect(framesOf(await readFile(files.output))).toBeGreaterThanOrEqual(count / 576);
  });
});

describe('a WAV file', () => {
  /** A chunk of its own before the data, and data of an odd length that claims to be longer. */
  const unusual = () => {
    const wave = Buffer.from(toneWave(20));
    const list = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');
    wave.writeUInt32LE(0xffff_ffff, 40);
    return Buffer.concat([wave.subarray(0, 36), list, wave.subarray(36), Buffer.from([7])]);
  };

  it('is read in pieces as it is read whole', async () => {
    const bytes = unusual();
    const files = await fileOf(bytes);
    expect((await decodeToWave(files, never)).seconds).toBe(20);
    const [ours, whole] = [parseWave(await readFile(files.output)), parseWave(bytes)];
    expect(
      Buffer.compare(Buffer.from(ours.samples.buffer), Buffer.from(whole.samples.buffer)),
    ).toBe(0);
  });

  it.each([1, 16_000_000])('of %i Hz is no recording', async (rate) => {
    const files = await fileOf(Buffer.concat([waveHeader(9, rate), Buffer.alloc(18)]));
    await expect(decodeToWave(files, never)).rejects.toMatchObject({ code: 'unreadable' });
  });

  it('of chunks without an end is no recording', async () => {
    const files = await fileOf(waveHeader(0, 16_000).subarray(0, 36));
    const file = await open(files.input, 'a');
    await file.appendFile(Buffer.alloc(8_000_000));
    await file.close();
    await expect(decodeToWave(files, never)).rejects.toMatchObject({ code: 'unreadable' });
  });
});

describe.each([
  ['wav', decodeToWave],
  ['mp3', decodeToMp3],
])('to %s', (_format, decode) => {
  const damaged = async () => {
    const bytes = await readFile(scene);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    return bytes;
  };
  it.each([
    ['no audio', async () => Buffer.from('not audio at all, but text'), 'unreadable'],
    ['a damaged file', damaged, 'unreadable'],
    [
      'a file cut off in its head',
      async () => (await readFile(scene)).subarray(0, 40),
      'unreadable',
    ],
    ['nothing', async () => Buffer.alloc(0), 'empty'],
    ['a recording without sound', async () => muxOgg(new Uint8Array()), 'empty'],
  ])('%s cannot be decoded', async (_what, bytes, code) => {
    await expect(decode(await fileOf(await bytes()), never)).rejects.toMatchObject({ code });
  });

  it('half a file is decoded as far as it goes', async () => {
    const bytes = await readFile(scene);
    const half = await fileOf(bytes.subarray(0, bytes.length >> 1));
    const { seconds } = await decode(half, never);
    const whole = speech.length / 16_000;
    expect(seconds).toBeGreaterThan(whole / 2 - 1);
    expect(seconds).toBeLessThan(whole / 2);
  });

  it('ends when nobody wants it any more', async () => {
    const files = await fileOf(await readFile(scene));
    const left = new AbortController();
    const decoding = decode(files, left.signal);
    left.abort();
    await expect(decoding).rejects.toBe(left.signal.reason);
  });
});

/** Counts the frames of an mp3 (MPEG-2, layer III); anything else in it is a failure. */
function framesOf(mp3: Uint8Array): number {
  const kilobits = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
  let frames = 0;
  for (let at = 0; at < mp3.length; frames += 1) {
    const [sync = 0, version = 0, rates = 0] = mp3.subarray(at, at + 3);
    // Sync, MPEG-2, layer III; 16 kHz.
    expect([sync, version & 0xfe, (rates >> 2) & 3]).toEqual([0xff, 0xf2, 2]);
    const padding = (rates >> 1) & 1;
    at += Math.floor((72_000 * (kilobits[rates >> 4] ?? 0)) / 16_000) + padding;
    expect(at).toBeLessThanOrEqual(mp3.length);
  }
  return frames;
}

/** How alike two sounds are, one shifted by so many samples: 1 is the same. */
function likeness(ours: Int16Array, theirs: Int16Array, shift: number): number {
  let [product, a, b] = [0, 0, 0];
  for (let n = 16_000; n < 48_000; n += 1) {
    const [x, y] = [ours[n] ?? 0, theirs[n + shift] ?? 0];
    product += x * y;
    a += x * x;
    b += y * y;
  }
  return product / Math.sqrt(a * b);
}

/** Runs a tool that gives a second opinion; skips the test where it is missing, except in CI. */
function tool(context: TestContext, program: string, args: string[]): void {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || process.env.CI === 'true')
      throw error;
    context.skip(`${program} is not installed`);
  }
}

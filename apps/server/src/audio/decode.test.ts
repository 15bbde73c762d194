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
const neverAborted = new AbortController().signal;
let folder: string;
let speech: Int16Array;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'linnet-decode-'));
  speech = (await readScene('microphone')).samples;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function writeInput(bytes: Uint8Array): Promise<{ input: string; output: string }> {
  const input = path.join(folder, crypto.randomUUID());
  await writeFile(input, bytes);
  return { input, output: `${input}.out` };
}

type DecodeFile = typeof decodeFromStream;

/** Decodes a file with a budget of two hours. */
const fromFile =
  (decode: DecodeFile) =>
  async (
    { input, output }: { input: string; output: string },
    signal: AbortSignal,
    onProgress?: (fraction: number) => void,
  ) => {
    const { size } = await stat(input);
    return decode(
      { kind: null, source: createReadStream(input), size, output, maxSeconds: 7200 },
      null,
      signal,
      onProgress,
    );
  };
const decodeToWave = fromFile(decodeFromStream);
const decodeToMp3 = fromFile(mp3FromStream);

describe('WAV output', () => {
  it('contains every sample of a file read in chunks', async () => {
    const files = await writeInput(await readFile(scene));
    const { seconds, peaks } = await decodeToWave(files, neverAborted);
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
  it('increases with the bytes read', async () => {
    const count = 600 * 16_000;
    const files = await writeInput(waveHeader(count, 16_000));
    await truncate(files.input, WAVE_HEADER_BYTES + count * 2);
    const reported: number[] = [];
    await decodeToWave(files, neverAborted, (fraction) => reported.push(fraction));
    expect(reported.length).toBeGreaterThan(0);
    expect(reported).toEqual(reported.toSorted((a, b) => a - b));
    expect(Math.max(...reported)).toBeLessThanOrEqual(1);
  });
});

describe('MP3 output', () => {
  it('consists of complete frames and is as long as the recording', async () => {
    const files = await writeInput(await readFile(scene));
    expect((await decodeToMp3(files, neverAborted)).seconds).toBe(speech.length / 16_000);
    const mp3 = await readFile(files.output);
    const seconds = (countFrames(mp3) * 576) / 16_000;
    // The encoder delays the audio and pads the last frame.
    expect(seconds - speech.length / 16_000).toBeGreaterThan(0);
    expect(seconds - speech.length / 16_000).toBeLessThan(0.15);
  });

  it('decodes to the same audio in another decoder', async (context) => {
    const files = await writeInput(await readFile(scene));
    await decodeToMp3(files, neverAborted);
    const wav = `${files.output}.wav`;
    runTool(context, 'ffmpeg', ['-v', 'error', '-f', 'mp3', '-i', files.output, wav]);
    const referenceSamples = parseWave(await readFile(wav)).samples;
    // The encoder and the decoder shift the audio by an unknown delay, so use the best match.
    const matches = Array.from({ length: 2400 }, (_, shift) =>
      correlation(speech, referenceSamples, shift),
    );
    expect(Math.max(...matches)).toBeGreaterThan(0.98);
  });

  it('accepts WAV input', async () => {
    const files = await writeInput(toneWave(3));
    expect((await decodeToMp3(files, neverAborted)).seconds).toBe(3);
    expect(countFrames(await readFile(files.output))).toBeGreaterThan(83);
  });

  it('accepts an hour of WAV input', async () => {
    const count = 3600 * 16_000;
    const files = await writeInput(waveHeader(count, 16_000));
    await truncate(files.input, WAVE_HEADER_BYTES + count * 2);
    expect((await decodeToMp3(files, neverAborted)).seconds).toBe(3600);
    expect(countFrames(await readFile(files.output))).toBeGreaterThanOrEqual(count / 576);
  });
});

describe('WAV input', () => {
  /** Creates a WAV file with an unknown chunk before the data. The data's length is odd and shorter than declared. */
  const unusual = () => {
    const wave = Buffer.from(toneWave(20));
    const list = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');
    wave.writeUInt32LE(0xffff_ffff, 40);
    return Buffer.concat([wave.subarray(0, 36), list, wave.subarray(36), Buffer.from([7])]);
  };

  it('decodes to the same samples in chunks as in a single piece', async () => {
    const bytes = unusual();
    const files = await writeInput(bytes);
    expect((await decodeToWave(files, neverAborted)).seconds).toBe(20);
    const [actualWave, fullSeconds] = [parseWave(await readFile(files.output)), parseWave(bytes)];
    expect(
      Buffer.compare(
        Buffer.from(actualWave.samples.buffer),
        Buffer.from(fullSeconds.samples.buffer),
      ),
    ).toBe(0);
  });

  it.each([1, 16_000_000])('is unreadable at %i Hz', async (rate) => {
    const files = await writeInput(Buffer.concat([waveHeader(9, rate), Buffer.alloc(18)]));
    await expect(decodeToWave(files, neverAborted)).rejects.toMatchObject({ code: 'unreadable' });
  });

  it('is unreadable if its chunks never end', async () => {
    const files = await writeInput(waveHeader(0, 16_000).subarray(0, 36));
    const file = await open(files.input, 'a');
    await file.appendFile(Buffer.alloc(8_000_000));
    await file.close();
    await expect(decodeToWave(files, neverAborted)).rejects.toMatchObject({ code: 'unreadable' });
  });
});

describe.each([
  ['wav', decodeToWave],
  ['mp3', decodeToMp3],
])('decoding to %s', (_format, decode) => {
  it.each([
    ['text', async () => Buffer.from('not audio at all, but text'), 'unreadable'],
    [
      'a file truncated in its header',
      async () => (await readFile(scene)).subarray(0, 40),
      'unreadable',
    ],
    ['an empty file', async () => Buffer.alloc(0), 'empty'],
    ['a recording without audio', async () => muxOgg(new Uint8Array()), 'empty'],
  ])('rejects %s', async (_what, bytes, code) => {
    await expect(decode(await writeInput(await bytes()), neverAborted)).rejects.toMatchObject({
      code,
    });
  });

  it('replaces a damaged part with silence', async () => {
    const bytes = await readFile(scene);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    const { seconds } = await decode(await writeInput(bytes), neverAborted);
    expect(seconds).toBe(speech.length / 16_000);
  });

  it('decodes concatenated streams', async () => {
    const bytes = await readFile(scene);
    const { seconds } = await decode(await writeInput(Buffer.concat([bytes, bytes])), neverAborted);
    expect(seconds).toBe((2 * speech.length) / 16_000);
  });

  it('decodes a truncated file as far as possible', async () => {
    const bytes = await readFile(scene);
    const truncatedFile = await writeInput(bytes.subarray(0, bytes.length >> 1));
    const { seconds } = await decode(truncatedFile, neverAborted);
    const fullSeconds = speech.length / 16_000;
    expect(seconds).toBeGreaterThan(fullSeconds / 2 - 1);
    expect(seconds).toBeLessThan(fullSeconds / 2);
  });

  it('stops when aborted', async () => {
    const files = await writeInput(await readFile(scene));
    const controller = new AbortController();
    const decoding = decode(files, controller.signal);
    controller.abort();
    await expect(decoding).rejects.toBe(controller.signal.reason);
  });
});

/** Counts the frames in an MP3 file (MPEG-2, layer III) and expects it to contain nothing else. */
function countFrames(mp3: Uint8Array): number {
  const kilobits = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
  let frames = 0;
  for (let offset = 0; offset < mp3.length; frames += 1) {
    const [sync = 0, version = 0, rates = 0] = mp3.subarray(offset, offset + 3);
    // The header has the sync word, MPEG-2 layer III, and 16 kHz.
    expect([sync, version & 0xfe, (rates >> 2) & 3]).toEqual([0xff, 0xf2, 2]);
    const padding = (rates >> 1) & 1;
    offset += Math.floor((72_000 * (kilobits[rates >> 4] ?? 0)) / 16_000) + padding;
    expect(offset).toBeLessThanOrEqual(mp3.length);
  }
  return frames;
}

/**
 * Returns the normalized correlation of two signals after shifting one of them by a number of samples. 1 means
 * identical.
 */
function correlation(actual: Int16Array, referenceSamples: Int16Array, shift: number): number {
  let [product, a, b] = [0, 0, 0];
  for (let n = 16_000; n < 48_000; n += 1) {
    const [x, y] = [actual[n] ?? 0, referenceSamples[n + shift] ?? 0];
    product += x * y;
    a += x * x;
    b += y * y;
  }
  return product / Math.sqrt(a * b);
}

/** Runs an external tool. If it isn't installed, the test is skipped, except in CI. */
function runTool(context: TestContext, program: string, args: string[]): void {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || process.env.CI === 'true')
      throw error;
    context.skip(`${program} is not installed`);
  }
}

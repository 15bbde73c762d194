import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { detectAudioKind, KIND_BYTES } from '@linnet/audio/kind';
import { parseWave } from '@linnet/audio/wave';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EncodedKind, encodeTones } from '../../test/encoded-audio.ts';
import { toneWave } from '../../test/uploads.ts';
import { decodeToWave } from './decode.ts';
import { decoderFor, type Ffmpeg, findFfmpeg, measureSeconds } from './ffmpeg.ts';

const neverAborted = new AbortController().signal;
const seconds = 3;
let folder: string;
let ffmpeg: Ffmpeg | null;
let tones: Awaited<ReturnType<typeof encodeTones>>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'linnet-ffmpeg-'));
  [ffmpeg, tones] = await Promise.all([findFfmpeg('ffmpeg'), encodeTones(seconds)]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const detectKind = (bytes: Uint8Array) => detectAudioKind(bytes.subarray(0, KIND_BYTES));

/** Decodes a file as the pipeline does. */
async function decode(bytes: Uint8Array, { maxSeconds = 60, using = ffmpeg } = {}) {
  const input = path.join(folder, crypto.randomUUID());
  await writeFile(input, bytes);
  const output = `${input}.out`;
  const source = createReadStream(input);
  try {
    const job = { kind: detectKind(bytes), source, size: bytes.length, output, maxSeconds };
    const decoded = await decodeToWave(job, using, neverAborted);
    return { ...decoded, samples: parseWave(await readFile(output)).samples };
  } finally {
    expect(existsSync(`${output}.source`)).toBe(false);
  }
}

/** Measures a file as the given kind, even if its content is of a different kind. */
async function measure(
  bytes: Uint8Array,
  kind: EncodedKind,
  signal = neverAborted,
): Promise<number> {
  const file = path.join(folder, crypto.randomUUID());
  await writeFile(file, bytes);
  const decoder = decoderFor(ffmpeg, detectKind(tones[kind]));
  if (!decoder) throw new Error(`ffmpeg does not decode ${kind}`);
  return measureSeconds(decoder, file, signal);
}

describe.each<EncodedKind>(['mp3', 'mp4', 'aac', 'flac', 'vorbis', 'webm'])('%s', (id) => {
  it('is detected by content, and decoded to its length and tone', async () => {
    const kind = detectKind(tones[id]);
    expect(kind?.id).toBe(id);
    const { seconds: decodedSeconds, samples, peaks } = await decode(tones[id]);
    // Encoders delay and pad the audio by up to three frames of 1,024 samples at 48 kHz.
    expect(Math.abs(decodedSeconds - seconds)).toBeLessThan(0.07);
    expect(Math.max(...peaks)).toBeGreaterThan(20);
    const middle = samples.subarray(16_000, 32_000);
    const rises = middle.filter((sample, n) => sample >= 0 && (middle[n - 1] ?? 0) < 0).length;
    expect(Math.abs(rises - 440)).toBeLessThan(3);
    expect(await measure(tones[id], id)).toBe(decodedSeconds);
  });
});

describe('decoding', () => {
  it('fails on a server without ffmpeg', async () => {
    await expect(decode(tones.mp3, { using: null })).rejects.toMatchObject({ code: 'no-decoder' });
  });

  it('fails if the setting doesn’t name a program', async () => {
    await expect(findFfmpeg('/nowhere/ffmpeg')).rejects.toThrow(/Can't run ffmpeg/);
    expect(await findFfmpeg('none')).toBeNull();
  });

  it('fails for an MP4 file without its end, which contains the index', async () => {
    const half = tones.mp4.subarray(0, tones.mp4.length / 2);
    await expect(decode(half)).rejects.toMatchObject({ code: 'unreadable' });
  });

  it('decodes a truncated MP3 file as far as possible', async () => {
    const { seconds: half } = await decode(tones.mp3.subarray(0, tones.mp3.length / 2));
    expect(Math.abs(half - seconds / 2)).toBeLessThan(0.2);
  });

  it('fails for audio that is longer than allowed, as in a decompression bomb', async () => {
    const decoding = decode(tones.flac, { maxSeconds: 1 });
    await expect(decoding).rejects.toMatchObject({ code: 'too-long' });
  });

  it('stops when canceled, and kills ffmpeg', async () => {
    const control = new AbortController();
    const measuring = measure(tones.mp3, 'mp3', control.signal);
    setTimeout(() => control.abort(), 30);
    await expect(measuring).rejects.toThrow(/aborted/);
  });
});

describe('a file that refers to another file or address', () => {
  /** Playlists that ffmpeg would follow if it detected the format. */
  const playlists = (target: string) => [
    `#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\n${target}\n#EXT-X-ENDLIST\n`,
    `ffconcat version 1.0\nfile '${target}'\n`,
    `<?xml version="1.0"?><MPD><Period><BaseURL>${target}</BaseURL></Period></MPD>`,
  ];

  it('is not decoded, and nothing is opened', async () => {
    const requests: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      requests.push(url);
      response.end(toneWave(1));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const secret = path.join(folder, 'secret.wav');
    await writeFile(secret, toneWave(1));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/audio.wav`;
    try {
      for (const text of [address, secret].flatMap(playlists)) {
        const bytes = Buffer.from(text);
        expect(detectKind(bytes)).toBeNull();
        await expect(measure(bytes, 'mp3')).rejects.toMatchObject({ code: 'unreadable' });
      }
    } finally {
      server.close();
    }
    expect(requests).toEqual([]);
  });

  it('is not decoded as MP4 with its audio in another file', async () => {
    await writeFile(path.join(folder, 'outside.m4a'), tones.mp4);
    const bytes = withReference(tones.mp4, 'outside.m4a');
    expect(detectKind(bytes)?.id).toBe('mp4');
    const file = path.join(folder, 'reference.m4a');
    await writeFile(file, bytes);
    // With references enabled, ffmpeg would follow this reference.
    const options = ['-v', 'error', '-f', 'mov', '-enable_drefs', '1'];
    const followed = execFileSync('ffmpeg', [...options, '-i', file, '-f', 'wav', '-']);
    expect(followed.length).toBeGreaterThan(100_000);
    expect(await measure(bytes, 'mp4')).toBe(0);
  });
});

/** Returns an MP4 file whose data reference is an alias of a file in the same folder (QuickTime file format, `dref`). */
function withReference(mp4: Uint8Array, name: string): Uint8Array {
  const record = Buffer.alloc(150);
  record.writeUInt8(name.length, 10 + 28 + 12);
  record.write(name, 10 + 28 + 12 + 1);
  // Number of folder levels above each file, then the type and length of the relative path, and the end marker.
  record.writeInt16BE(1, 10 + 28 + 12 + 64 + 16);
  record.writeInt16BE(1, 10 + 28 + 12 + 64 + 18);
  const pathRecord = Buffer.alloc(4 + name.length + (name.length % 2) + 4);
  pathRecord.writeInt16BE(2, 0);
  pathRecord.writeInt16BE(name.length, 2);
  pathRecord.write(name, 4);
  pathRecord.writeInt16BE(-1, pathRecord.length - 4);
  const body = Buffer.concat([record, pathRecord]);
  const head = Buffer.alloc(12);
  head.writeUInt32BE(12 + body.length, 0);
  head.write('alis', 4);
  const alias = Buffer.concat([head, body]);

  const source = Buffer.from(mp4);
  // The audio keeps its offset, because the index comes after it.
  const entry = source.indexOf('url ', source.indexOf('dref')) - 4;
  const file = Buffer.concat([
    source.subarray(0, entry),
    alias,
    source.subarray(entry + source.readUInt32BE(entry)),
  ]);
  const growth = file.length - source.length;
  for (const box of ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']) {
    const size = source.indexOf(box, source.indexOf('moov')) - 4;
    file.writeUInt32BE(source.readUInt32BE(size) + growth, size);
  }
  return file;
}

/**
 * Creates audio files like those that recorders, dictation machines and other apps leave behind: with headers from
 * before a crash, in unusual structures, and with the wrong extension. The app and the server are tested with the same
 * files.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AudioKindId } from '../kind.ts';

/** How the app and the server treat a file. */
export type FileTreatment =
  /** Both store the file unchanged. */
  | { readonly as: 'stored'; readonly kind: AudioKindId }
  /**
   * The app keeps the file and uploads a converted copy. The server refuses the file, because browsers can't play it.
   */
  | { readonly as: 'converted' }
  /** Neither accepts the file. */
  | { readonly as: 'refused' };

export type RecorderFile = {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The length of the audio that the file contains, in seconds. */
  readonly seconds: number;
  readonly treatment: FileTreatment;
};

/** The length of the encoded tone in seconds. */
const SECONDS = 3;

/** The files that ffmpeg writes, by name, with the arguments that select their encoding. */
const encodings = {
  'plain.wav': ['-ar', '16000'],
  'dictation-8-bit.wav': ['-ar', '8000', '-c:a', 'pcm_u8'],
  'field-recorder-24-bit.wav': [
    ...['-ar', '48000', '-ac', '2', '-c:a', 'pcm_s24le', '-write_bext', '1'],
    ...['-metadata', 'origination_date=2026-05-04', '-metadata', 'origination_time=09:30:00'],
  ],
  'float.wav': ['-ar', '44100', '-c:a', 'pcm_f32le'],
  'phone-a-law.wav': ['-ar', '8000', '-c:a', 'pcm_alaw'],
  'phone-u-law.wav': ['-ar', '8000', '-c:a', 'pcm_mulaw'],
  'long.rf64.wav': ['-ar', '16000', '-rf64', 'always'],
  'studio.w64': ['-ar', '48000'],
  'studio.aiff': ['-ar', '44100'],
  'double.wav': ['-ar', '16000', '-c:a', 'pcm_f64le'],
  'plain.opus': ['-c:a', 'libopus', '-page_duration', '100000'],
  'second.opus': ['-c:a', 'libopus', '-serial_offset', '77'],
  'plain.mp3': ['-c:a', 'libmp3lame', '-metadata', 'title=Interview', '-id3v2_version', '3'],
  'plain.m4a': ['-c:a', 'aac'],
  'plain.aac': ['-c:a', 'aac'],
  'plain.flac': ['-c:a', 'flac'],
  'vorbis.ogg': ['-c:a', 'libvorbis'],
  'browser.webm': ['-c:a', 'libopus'],
  'opus.mp4': ['-c:a', 'libopus'],
  'lossless.m4a': ['-c:a', 'alac'],
  'adpcm.wav': ['-ar', '16000', '-c:a', 'adpcm_ima_wav'],
  'gsm.wav': ['-ar', '8000', '-c:a', 'libgsm_ms'],
  'speex.ogg': ['-ar', '16000', '-c:a', 'libspeex'],
  'windows.wma': ['-c:a', 'wmav2'],
  'sun.au': ['-ar', '8000'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type EncodedFiles = Readonly<Record<keyof typeof encodings, Buffer>>;

/** Creates the files with ffmpeg, which must be installed. */
export async function createRecorderFiles(): Promise<readonly RecorderFile[]> {
  const encoded = await encode();
  return [
    ...createInterruptedFiles(encoded),
    ...createForeignFiles(encoded),
    ...createMisnamedFiles(encoded),
    ...unreadable(encoded),
  ];
}

async function encode(): Promise<EncodedFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-recorder-files-'));
  try {
    const tone = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${SECONDS}`];
    const outputs = Object.entries(encodings).flatMap(([name, args]) => [
      ...args,
      join(folder, name),
    ]);
    execFileSync('ffmpeg', ['-v', 'error', '-strict', 'experimental', ...tone, ...outputs]);
    const files = Object.keys(encodings).map(
      async (name) => [name, await readFile(join(folder, name))] as const,
    );
    return Object.fromEntries(await Promise.all(files)) as EncodedFiles;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const storeAs = (kind: AudioKindId): FileTreatment => ({ as: 'stored', kind });
const file = (
  name: string,
  bytes: Uint8Array,
  treatment: FileTreatment,
  seconds = SECONDS,
): RecorderFile => ({ name, bytes: new Uint8Array(bytes), seconds, treatment });

/** Returns the offset of the data size in a WAV file. */
const dataSizeOffset = (wave: Buffer): number => wave.indexOf('data') + 4;

/** Returns a copy of a WAV file with different sizes in its header. */
function withSizes(wave: Buffer, dataSize: number, riffSize = dataSize + 36): Buffer {
  const copy = Buffer.from(wave);
  copy.writeUInt32LE(riffSize >>> 0, 4);
  copy.writeUInt32LE(dataSize, dataSizeOffset(wave));
  return copy;
}

/** Files from recorders that lost power, and files whose copying was interrupted. */
function createInterruptedFiles(encoded: EncodedFiles): RecorderFile[] {
  const wave = encoded['plain.wav'];
  const opus = encoded['plain.opus'];
  const mp3 = encoded['plain.mp3'];
  const dataAt = dataSizeOffset(wave) + 4;
  const secondBytes = 2 * 16_000;
  return [
    file('no-size.wav', withSizes(wave, 0, 0), storeAs('wave')),
    file('old-size.wav', withSizes(wave, secondBytes), storeAs('wave')),
    file('unknown-size.wav', withSizes(wave, 0xffff_ffff, 0xffff_ffff), storeAs('wave')),
    file('cut.wav', wave.subarray(0, dataAt + 2 * secondBytes + 1), storeAs('wave'), 2),
    file('cut-between-pages.opus', opus.subarray(0, pageOffset(opus, 2 / 3)), storeAs('opus'), 2),
    file('cut-in-a-frame.mp3', mp3.subarray(0, Math.round(mp3.length / 2)), storeAs('mp3'), 1.5),
    file('no-index.m4a', withoutIndex(encoded['plain.m4a']), { as: 'refused' }),
  ];
}

/** Returns the offset of the Ogg page that follows this fraction of the pages. */
function pageOffset(ogg: Buffer, fraction: number): number {
  const offsets: number[] = [];
  for (let offset = ogg.indexOf('OggS'); offset >= 0; offset = ogg.indexOf('OggS', offset + 4))
    offsets.push(offset);
  // The first two pages are headers.
  return offsets[2 + Math.round((offsets.length - 2) * fraction)] ?? ogg.length;
}

/** Returns an MP4 file as a phone leaves it after losing power: without the index, which is written last. */
function withoutIndex(mp4: Buffer): Buffer {
  return mp4.subarray(0, mp4.lastIndexOf('moov') - 4);
}

/** Files in other recorders' structures and encodings. */
function createForeignFiles(encoded: EncodedFiles): RecorderFile[] {
  const wave = encoded['plain.wav'];
  const formatAt = wave.indexOf('fmt ');
  const oddChunk = Buffer.from('LIST\x05\0\0\0INFO!', 'latin1');
  const wrongRate = Buffer.from(wave);
  wrongRate.writeUInt32LE(1, formatAt + 16);
  const damagedPage = Buffer.from(encoded['plain.opus']);
  damagedPage.fill(0, pageOffset(damagedPage, 0.5) + 60, pageOffset(damagedPage, 0.5) + 120);
  return [
    file(
      'odd-chunk.wav',
      Buffer.concat([wave.subarray(0, formatAt), oddChunk, wave.subarray(formatAt)]),
      storeAs('wave'),
    ),
    file('wrong-byte-rate.wav', wrongRate, storeAs('wave')),
    ...(['dictation-8-bit.wav', 'field-recorder-24-bit.wav', 'float.wav'] as const).map((name) =>
      file(name, encoded[name], storeAs('wave')),
    ),
    file('phone-a-law.wav', encoded['phone-a-law.wav'], storeAs('g711')),
    file('phone-u-law.wav', encoded['phone-u-law.wav'], storeAs('g711')),
    ...(['long.rf64.wav', 'studio.w64', 'studio.aiff', 'double.wav'] as const).map((name) =>
      file(name, encoded[name], { as: 'converted' }),
    ),
    file(
      'paused.opus',
      Buffer.concat([encoded['plain.opus'], encoded['second.opus']]),
      storeAs('opus'),
      2 * SECONDS,
    ),
    file('damaged-page.opus', damagedPage, storeAs('opus')),
    file('browser.webm', encoded['browser.webm'], storeAs('webm')),
    file('opus.m4a', encoded['opus.mp4'], storeAs('mp4')),
  ];
}

/** Files with the extension of a different format. */
function createMisnamedFiles(encoded: EncodedFiles): RecorderFile[] {
  return [
    file('is-mp3.wav', encoded['plain.mp3'], storeAs('mp3')),
    file('is-flac.mp3', encoded['plain.flac'], storeAs('flac')),
    file('is-aac.m4a', encoded['plain.aac'], storeAs('aac')),
    file('is-vorbis.opus', encoded['vorbis.ogg'], storeAs('vorbis')),
  ];
}

/** Files that neither browsers nor the server decode. */
function unreadable(encoded: EncodedFiles): RecorderFile[] {
  const names = [
    'lossless.m4a',
    'adpcm.wav',
    'gsm.wav',
    'speex.ogg',
    'windows.wma',
    'sun.au',
  ] as const;
  return names.map((name) => file(name, encoded[name], { as: 'refused' }));
}

import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Kinds of audio files, with the ffmpeg arguments that produce them. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  wav: ['-c:a', 'pcm_s16le'],
  'u8.wav': ['-c:a', 'pcm_u8'],
  mp3: ['-c:a', 'libmp3lame'],
  m4a: ['-c:a', 'aac'],
  aac: ['-c:a', 'aac'],
  opus: ['-c:a', 'libopus'],
  'vorbis.ogg': ['-c:a', 'libvorbis'],
  flac: ['-c:a', 'flac'],
};

/** Encodes a WAV file as MP3. @param options ffmpeg options */
export function encodeAsMp3(wave: Uint8Array, options: readonly string[] = []): Buffer {
  const all = ['-v', 'error', '-f', 'wav', '-i', 'pipe:0', ...options, '-f', 'mp3', 'pipe:1'];
  return execFileSync('ffmpeg', all, { input: wave });
}

/** Encodes a WAV file like a Pocket: MPEG-2 layer III at 16 kHz, mono, 32 kbit/s, without tags. */
export function encodeAsPocket(wave: Uint8Array): Uint8Array<ArrayBuffer> {
  const format = ['-ar', '16000', '-ac', '1', '-b:a', '32k'];
  const noTags = ['-write_xing', '0', '-id3v2_version', '0'];
  return new Uint8Array(encodeAsMp3(wave, [...format, ...noTags]));
}

/** Decodes a file to WAV. */
export function decodeToWave(bytes: Uint8Array): Uint8Array {
  const options = [
    '-v',
    'error',
    '-i',
    'pipe:0',
    '-ac',
    '1',
    '-ar',
    '16000',
    '-f',
    'wav',
    'pipe:1',
  ];
  return execFileSync('ffmpeg', options, { input: bytes });
}

export type AudioFile = { readonly name: string; readonly bytes: Buffer };

/**
 * Creates audio files of eight kinds. Each file contains a different part of a rising tone.
 * @param perKind number of files of each kind
 */
export async function createAudioFiles(perKind: number): Promise<readonly AudioFile[]> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-kinds-'));
  try {
    const seconds = perKind / 2;
    for (const [ending, codec] of Object.entries(kinds)) {
      execFileSync('ffmpeg', [
        ...['-v', 'error', '-f', 'lavfi'],
        ...['-i', `aevalsrc=0.4*sin(2*PI*(200*t+20*t*t)):s=16000:d=${seconds}`],
        ...codec,
        ...['-f', 'segment', '-segment_time', '0.5', join(folder, `%03d.${ending}`)],
      ]);
    }
    const names = (await readdir(folder)).filter((name) => Number(name.slice(0, 3)) < perKind);
    return await Promise.all(
      names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

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

/** Encodes a WAV file as MP3. */
export function encodeAsMp3(wave: Uint8Array): Buffer {
  const options = ['-v', 'error', '-f', 'wav', '-i', 'pipe:0', '-f', 'mp3', 'pipe:1'];
  return execFileSync('ffmpeg', options, { input: wave });
}

export type AudioFile = { readonly name: string; readonly bytes: Buffer };

/**
 * Creates audio files of eight kinds. Each file contains a different part of a rising tone.
 * @param perKind the number of files of each kind
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

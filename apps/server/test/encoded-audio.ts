/** Audio files that ffmpeg encodes at run time. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The kinds that require ffmpeg, with ffmpeg's file name and codec for each. */
const encoders = {
  mp3: ['audio.mp3', 'libmp3lame'],
  mp4: ['audio.m4a', 'aac'],
  aac: ['audio.aac', 'aac'],
  flac: ['audio.flac', 'flac'],
  vorbis: ['audio.ogg', 'libvorbis'],
  webm: ['audio.webm', 'libopus'],
} as const;

export type EncodedKind = keyof typeof encoders;

/** Encodes a 440 Hz tone in every kind, with a single run of ffmpeg. @param seconds duration of the tone */
export async function encodeTones(
  seconds: number,
): Promise<Readonly<Record<EncodedKind, Uint8Array<ArrayBuffer>>>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'linnet-encoded-'));
  try {
    const outputs = Object.values(encoders).flatMap(([name, codec]) => [
      ...['-c:a', codec, path.join(folder, name)],
    ]);
    const tone = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds}`];
    execFileSync('ffmpeg', ['-v', 'error', ...tone, ...outputs]);
    const files = Object.entries(encoders).map(async ([kind, [name]]) => {
      return [kind, new Uint8Array(await readFile(path.join(folder, name)))] as const;
    });
    return Object.fromEntries(await Promise.all(files)) as Record<
      EncodedKind,
      Uint8Array<ArrayBuffer>
    >;
  } finally {
    await rm(folder, { recursive: true });
  }
}

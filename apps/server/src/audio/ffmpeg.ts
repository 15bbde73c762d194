/**
 * Uses ffmpeg to decode audio files that Linnet can't decode itself. ffmpeg runs in a child process with resource
 * limits. Its demuxer is forced, and its demuxers, decoders and protocols are restricted to a fixed list, so a file
 * can't make it open other files or URLs.
 */
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { type AudioCodec, type AudioKind, audioKinds, linnetKinds } from '@linnet/audio/kind';
import { MAX_SECONDS } from '@linnet/audio/samples';
import { WAVE_HEADER_BYTES } from '@linnet/audio/wave';
import type { Logger } from 'pino';
import { ConfigFailure } from '../config/failure.ts';
import { DecodeFailure, exitFailure } from './decode-failure.ts';
import { limitedCommand, type ProcessLimits } from './limits.ts';

/** An installed ffmpeg. */
export interface Ffmpeg {
  readonly program: string;
  readonly version: string;
  /** Kinds of audio that it can decode. Distributions may omit decoders. */
  readonly kinds: readonly FfmpegKind[];
}

type FfmpegKind = AudioKind & {
  readonly decoder: Extract<AudioKind['decoder'], { readonly by: 'ffmpeg' }>;
};

const isFfmpegKind = (kind: AudioKind): kind is FfmpegKind => kind.decoder.by === 'ffmpeg';

/** ffmpeg's decoder for each codec. */
const decoders: Readonly<Record<AudioCodec, string>> = {
  mp3: 'mp3float',
  aac: 'aac',
  flac: 'flac',
  vorbis: 'vorbis',
  opus: 'opus',
};

/** The value of `FFMPEG` that disables ffmpeg. */
const OFF_SETTING = 'none';

/**
 * Runs ffmpeg to determine its version and decoders.
 * @param setting `FFMPEG`: path of the program, or `none`; undefined to search PATH
 * @returns null if ffmpeg is disabled or not installed
 * @throws ConfigFailure if the configured program can't be started
 */
export async function findFfmpeg(setting: string | undefined): Promise<Ffmpeg | null> {
  if (setting === OFF_SETTING) return null;
  const program = setting ?? 'ffmpeg';
  const run = (...args: readonly string[]) =>
    promisify(execFile)(program, args, { env: environment(), timeout: PROBE_MS });
  try {
    const [version, demuxers, available] = await Promise.all([
      run('-version'),
      run('-hide_banner', '-demuxers'),
      run('-hide_banner', '-decoders'),
    ]);
    const demuxerNames = new Set(listedNames(demuxers.stdout));
    const decoderNames = new Set(listedNames(available.stdout));
    return {
      program,
      version: /^ffmpeg version (\S+)/.exec(version.stdout)?.[1] ?? 'unknown',
      kinds: Object.values<AudioKind>(audioKinds)
        .filter(isFfmpegKind)
        .filter(({ decoder: { demuxer, codecs } }) => {
          return (
            demuxerNames.has(demuxer) && codecs.every((codec) => decoderNames.has(decoders[codec]))
          );
        }),
    };
  } catch (error) {
    if (setting === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigFailure(
      'FFMPEG',
      `Can't run ffmpeg (FFMPEG): ${(error as Error).message.trim()}`,
    );
  }
}

/**
 * Finds ffmpeg and logs its version.
 * @throws ConfigFailure as in {@link findFfmpeg}
 */
export async function openFfmpeg(
  setting: string | undefined,
  log: Pick<Logger, 'info'>,
): Promise<Ffmpeg | null> {
  const ffmpeg = await findFfmpeg(setting);
  const kinds = decodedKinds(ffmpeg).map(({ id }) => id);
  log.info({ ffmpeg: ffmpeg?.version ?? null, kinds }, 'audio kinds');
  return ffmpeg;
}

/** Timeout for listing ffmpeg's decoders, in milliseconds. Starting it takes about 0.1 s. */
const PROBE_MS = 30_000;

/** Parses one of ffmpeg's lists. Each line has flags, one or more comma-separated names, and a description. */
function listedNames(list: string): readonly string[] {
  return list.split('\n').flatMap((line) => /^ [A-Z. ]+ (\S+) /.exec(line)?.[1]?.split(',') ?? []);
}

/** Returns the kinds that the server can decode. */
export function decodedKinds(ffmpeg: Ffmpeg | null): readonly AudioKind[] {
  return [...linnetKinds, ...(ffmpeg?.kinds ?? [])];
}

/** Returns the decoder for this kind if ffmpeg can decode it, otherwise null. */
export function decoderFor(
  ffmpeg: Ffmpeg | null,
  kind: AudioKind | null,
): { readonly ffmpeg: Ffmpeg; readonly kind: FfmpegKind } | null {
  if (!ffmpeg || !kind || !isFfmpegKind(kind)) return null;
  return ffmpeg.kinds.some(({ id }) => id === kind.id) ? { ffmpeg, kind } : null;
}

/** Returns whether only ffmpeg can decode this kind. */
export const needsFfmpeg = (kind: AudioKind | null): boolean => kind !== null && isFfmpegKind(kind);

/**
 * Returns the limits for audio of the given length. ffmpeg 5.1 maps 300 MiB of libraries, and decodes 100 seconds of
 * audio per second on a slow single-board computer. It doesn't write any files.
 */
function ffmpegLimits(maxSeconds: number): ProcessLimits {
  return { addressMiB: 640, cpuSeconds: 6 + maxSeconds / 20, fileBytes: 0 };
}

/**
 * Decodes a file's first audio stream.
 * @returns the bytes of a WAV file (16 kHz, mono, 16-bit PCM) whose {@link WAVE_HEADER_BYTES} header declares an
 * unknown length. If the caller stops reading, ffmpeg is killed.
 * @throws DecodeFailure `unreadable`, `crashed`
 */
export async function* decodeWithFfmpeg(
  { ffmpeg, kind }: { readonly ffmpeg: Ffmpeg; readonly kind: FfmpegKind },
  file: string,
  maxSeconds: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  signal.throwIfAborted();
  const { program, args } = limitedCommand(ffmpegLimits(maxSeconds), ffmpeg.program, [
    ...['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', '-filter_threads', '1'],
    ...['-protocol_whitelist', 'file', '-format_whitelist', kind.decoder.demuxer],
    ...['-codec_whitelist', kind.decoder.codecs.map((codec) => decoders[codec]).join(',')],
    ...['-f', kind.decoder.demuxer, '-i', `file:${file}`],
    ...['-map', '0:a:0', '-ac', '1', '-ar', String(SAMPLE_RATE), '-c:a', 'pcm_s16le'],
    ...['-bitexact', '-f', 'wav', 'pipe:1'],
  ]);
  const child = spawn(program, args, { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  let errorText = '';
  child.stderr.on('data', (bytes: Buffer) => {
    if (errorText.length < ERROR_LENGTH) errorText += bytes.toString('latin1');
  });
  const exit = new Promise<NodeJS.Signals | number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killSignal) => resolve(killSignal ?? code));
  });
  // Prevents an unhandled rejection if the caller stops reading.
  exit.catch(() => {});
  try {
    yield* child.stdout as AsyncIterable<Buffer>;
    const end = await exit;
    signal.throwIfAborted();
    if (end === 0) return;
    const [firstLine = ''] = errorText.slice(0, ERROR_LENGTH).split('\n');
    const isFfmpegExit = typeof end === 'number' && !commandFailures.has(end);
    throw isFfmpegExit ? new DecodeFailure('unreadable', firstLine) : exitFailure(end, firstLine);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Exit statuses of `nice` and the shell if a program can't be started (POSIX). */
const commandFailures: ReadonlySet<number> = new Set([126, 127]);

/** Maximum length of ffmpeg's output in an error message, in characters. */
const ERROR_LENGTH = 300;

/**
 * Returns ffmpeg's environment, without the server's secrets. Keeps `LD_LIBRARY_PATH`, because ffmpeg's libraries may
 * be in a private folder.
 */
function environment(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  return { PATH, ...(LD_LIBRARY_PATH !== undefined && { LD_LIBRARY_PATH }), MALLOC_ARENA_MAX: '1' };
}

/**
 * Measures a file's audio by decoding all of it.
 * @returns the length in seconds; 0 for a file without samples
 * @throws DecodeFailure `unreadable`, `too-long`, `crashed`
 */
export async function measureSeconds(
  decoder: NonNullable<ReturnType<typeof decoderFor>>,
  file: string,
  signal: AbortSignal,
): Promise<number> {
  let bytes = 0;
  for await (const piece of decodeWithFfmpeg(decoder, file, MAX_SECONDS, signal)) {
    bytes += piece.length;
    if (toSeconds(bytes) > MAX_SECONDS) throw new DecodeFailure('too-long', `${MAX_SECONDS} s`);
  }
  return toSeconds(bytes);
}

const toSeconds = (waveBytes: number) =>
  Math.max(0, waveBytes - WAVE_HEADER_BYTES) / 2 / SAMPLE_RATE;

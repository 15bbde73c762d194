/**
 * Decodes uploaded audio in a child process with resource limits, because a file may have been crafted to crash or
 * exhaust a decoder. The child runs `decode-process.ts`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { SAMPLE_RATE } from '@linnet/audio/format';
import type { AudioKind } from '@linnet/audio/kind';
import { WAVE_HEADER_BYTES } from '@linnet/audio/wave';
import { DecodeFailure, type DecodeFailureCode, exitFailure } from './decode-failure.ts';
import { decoderFor, decodeWithFfmpeg, type Ffmpeg, needsFfmpeg } from './ffmpeg.ts';
import { limitedCommand, type ProcessLimits } from './limits.ts';

export interface DecodeInput {
  /** Kind detected from the file's content, or null if unknown. */
  readonly kind: AudioKind | null;
  /** The file's content. The stream is destroyed if decoding ends before all of it is read. */
  readonly source: Readable;
  /** File size in bytes. */
  readonly size: number;
  /** Path of the decoded file. */
  readonly output: string;
  /** Maximum length of the audio in seconds. A longer file fails with `too-long`. */
  readonly maxSeconds: number;
}

export interface DecodeJob extends Pick<DecodeInput, 'output' | 'maxSeconds'> {
  readonly format: 'wav' | 'mp3';
}

/** The result of decoding. */
export interface DecodingResult {
  /** Length of the audio in seconds. */
  readonly seconds: number;
  /** Waveform: 0–255 for each of at most `limits.recording.peaks` equal segments. */
  readonly peaks: Uint8Array;
}

/** Final result of the child process. Peaks are base64-encoded. */
export type DecodeEnd =
  | { readonly kind: 'decoded'; readonly seconds: number; readonly peaks: string }
  | { readonly kind: 'failed'; readonly code: DecodeFailureCode; readonly detail: string };

/** Peak resident memory and CPU time of the child process. */
export interface DecodeUsage {
  readonly peakMiB: number;
  readonly cpuSeconds: number;
}

/** A line of the child's output: progress reports with the number of bytes read, and finally the result. */
export type DecodeLine =
  | { readonly kind: 'read'; readonly bytes: number }
  | (DecodeEnd & { readonly usage: DecodeUsage });

/** Called with the completed fraction, rising from 0 to 1. */
type OnProgress = (fraction: number) => void;

/**
 * Decodes an audio file to a WAV file (16 kHz, mono, 16-bit PCM), which is on disk when this returns. A truncated file
 * is decoded as far as possible.
 * @throws DecodeFailure; also any error from the source
 */
export function decodeToWave(
  input: DecodeInput,
  ffmpeg: Ffmpeg | null,
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<DecodingResult> {
  return decode(input, ffmpeg, 'wav', signal, onProgress);
}

/**
 * Converts an audio file to MP3 (16 kHz, mono).
 * @throws DecodeFailure; also any error from the source
 */
export function decodeToMp3(
  input: DecodeInput,
  ffmpeg: Ffmpeg | null,
  signal: AbortSignal,
): Promise<DecodingResult> {
  return decode(input, ffmpeg, 'mp3', signal);
}

async function decode(
  input: DecodeInput,
  ffmpeg: Ffmpeg | null,
  format: DecodeJob['format'],
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<DecodingResult> {
  const { kind, source, output, maxSeconds } = input;
  if (!needsFfmpeg(kind)) return runChild(input, format, signal, onProgress);
  const decoder = decoderFor(ffmpeg, kind);
  if (!decoder) {
    source.destroy();
    throw new DecodeFailure('no-decoder', `${kind?.name} needs ffmpeg`);
  }
  // ffmpeg needs a file on disk, because an MP4's index may be at the end.
  const file = `${output}.source`;
  try {
    await pipeline(source, createWriteStream(file, { mode: 0o600 }), { signal });
    const wave = Readable.from(decodeWithFfmpeg(decoder, file, maxSeconds, signal));
    const size = WAVE_HEADER_BYTES + maxSeconds * SAMPLE_RATE * 2;
    return await runChild({ source: wave, size, output, maxSeconds }, format, signal, onProgress);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await rm(file, { force: true });
  }
}

/** Maximum resident memory of the child process. Normal use is a quarter of this, regardless of the audio's length. */
export const maxResidentBytes = 400 * 1024 ** 2;

/**
 * Address space in MiB. At startup, V8 and WebAssembly reserve 1,200 MiB without allocating any memory (measured with
 * Node 24 on x86-64). The rest limits actual allocations.
 */
const addressMiB = 1_600;

/**
 * Flags that keep V8 within the address space. Without the trap handler, WebAssembly doesn't reserve 10 GiB around each
 * of its memories. A maximum of 512 pages of 64 KiB avoids the 2 GiB that the codecs declare.
 */
export const nodeFlags = [
  '--disable-wasm-trap-handler',
  '--wasm-max-mem-pages=512',
  '--max-old-space-size=192',
  '--max-semi-space-size=8',
];

/**
 * Returns the limits for audio of the given length. CPU time: startup takes less than a second, and a slow single-board
 * computer decodes sixty seconds of audio per second. File size: PCM takes 32,000 bytes per second, and MP3 fewer.
 */
export function decodeLimits(maxSeconds: number): ProcessLimits {
  return {
    addressMiB,
    cpuSeconds: 6 + maxSeconds / 20,
    fileBytes: WAVE_HEADER_BYTES + maxSeconds * SAMPLE_RATE * 2 + 64 * 1024,
  };
}

const script = fileURLToPath(new URL('./decode-process.ts', import.meta.url));

/** Starts a decoding process with limits, which reads the file from standard input. */
export function startDecoder(job: DecodeJob): ChildProcess {
  const { program, args } = limitedCommand(decodeLimits(job.maxSeconds), process.execPath, [
    ...nodeFlags,
    script,
    JSON.stringify(job),
  ]);
  // A minimal environment hides the server's secrets. glibc reserves 64 MiB per arena, so only one is allowed.
  const env = { PATH: process.env.PATH, MALLOC_ARENA_MAX: '1' };
  return spawn(program, args, { env, stdio: 'pipe' });
}

async function runChild(
  { source, size, output, maxSeconds }: Omit<DecodeInput, 'kind'>,
  format: DecodeJob['format'],
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<DecodingResult> {
  if (signal.aborted) source.destroy();
  signal.throwIfAborted();
  const child = startDecoder({ output, maxSeconds, format });
  const stop = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  // Timeout, in case the object store is slow: ten minutes plus the audio's length.
  const timer = setTimeout(stop, (600 + maxSeconds) * 1000);
  try {
    let reply: DecodeEnd | undefined;
    let errorLine = '';
    createInterface({ input: child.stderr as Readable }).on('line', (line) => {
      if (errorLine === '' || /error/i.test(line)) errorLine = line;
    });
    createInterface({ input: child.stdout as Readable }).on('line', (text) => {
      const line: DecodeLine = JSON.parse(text);
      if (line.kind === 'read') onProgress?.(Math.min(1, line.bytes / size));
      else reply = line;
    });
    const exit = new Promise<NodeJS.Signals | number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, killSignal) => resolve(killSignal ?? code));
    });
    const [pipeResult, end] = await Promise.allSettled([
      pipeline(source, child.stdin as NodeJS.WritableStream),
      exit,
    ]);
    signal.throwIfAborted();
    if (end.status === 'rejected') throw end.reason;
    // If ffmpeg failed, its error explains why the child received too little audio or none.
    if (pipeResult.status === 'rejected' && pipeResult.reason instanceof DecodeFailure) {
      throw pipeResult.reason;
    }
    if (reply?.kind === 'failed') throw new DecodeFailure(reply.code, reply.detail);
    // The child may exit before it has read all input, which closes the pipe. That isn't a source error.
    if (pipeResult.status === 'rejected' && !isClosedPipe(pipeResult.reason))
      throw pipeResult.reason;
    if (reply) return { seconds: reply.seconds, peaks: Buffer.from(reply.peaks, 'base64') };
    throw exitFailure(end.value, errorLine);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    stop();
  }
}

const isClosedPipe = (error: unknown) =>
  ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );

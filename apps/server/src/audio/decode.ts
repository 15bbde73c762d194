import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { WAVE_HEADER_BYTES } from '@linnet/audio/wave';
import { limitedCommand, type ProcessLimits } from './limits.ts';

/** What went wrong with a file that should be audio. */
export type DecodeFailureCode =
  /** Neither Ogg Opus nor WAV, damaged, or more than the limits of the child process allow. */
  | 'unreadable'
  /** More audio than the budget. */
  | 'too-long'
  /** The process ended without an answer, for a reason that need not be the file. */
  | 'crashed'
  /** Nothing in it: no bytes, or no samples. */
  | 'empty';

export class DecodeFailure extends Error {
  override readonly name = 'DecodeFailure';
  readonly code: DecodeFailureCode;
  constructor(code: DecodeFailureCode, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
  }
}

export interface DecodeInput {
  /** The bytes of the file. Destroyed when decoding ends before they do. */
  readonly source: Readable;
  /** How many there are. */
  readonly size: number;
  /** Where the result is written. */
  readonly output: string;
  /** The budget, in seconds of audio: with more, decoding ends with `too-long`. */
  readonly mostSeconds: number;
}

export interface DecodeJob extends Pick<DecodeInput, 'output' | 'mostSeconds'> {
  readonly format: 'wav' | 'mp3';
}

/** What was in a file. */
export interface Decoded {
  /** Seconds of audio. */
  readonly seconds: number;
  /** How it is drawn: 0–255 for each of at most `limits.recording.peaks` equal parts. */
  readonly peaks: Uint8Array;
}

/** How it went, as the child process writes it; peaks as base64. */
export type DecodeEnd =
  | { readonly kind: 'decoded'; readonly seconds: number; readonly peaks: string }
  | { readonly kind: 'failed'; readonly code: DecodeFailureCode; readonly detail: string };

/** What the child process took at the most, in MiB of resident memory, and in seconds of processor time. */
export interface DecodeUsage {
  readonly peakMiB: number;
  readonly cpuSeconds: number;
}

/** A line that the child process writes: the bytes read so far, now and then; and in the end how it went. */
export type DecodeLine =
  | { readonly kind: 'read'; readonly bytes: number }
  | (DecodeEnd & { readonly usage: DecodeUsage });

/** Called with the fraction done, rising from 0 to 1. */
type OnProgress = (fraction: number) => void;

/**
 * Decodes an Ogg Opus or WAV file into a WAV file of 16 kHz mono 16-bit PCM, which is on disk when this
 * returns. Of a file that ends too early it decodes what is there.
 * @throws DecodeFailure; whatever reading the source throws
 */
export function decodeToWave(
  input: DecodeInput,
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<Decoded> {
  return runChild(input, 'wav', signal, onProgress);
}

/**
 * Makes an mp3 of an Ogg Opus or WAV file, 16 kHz mono.
 * @throws DecodeFailure; whatever reading the source throws
 */
export function decodeToMp3(input: DecodeInput, signal: AbortSignal): Promise<Decoded> {
  return runChild(input, 'mp3', signal);
}

/** Resident bytes at which the child process gives up by itself; it takes a quarter, however long the audio is. */
export const maxResidentBytes = 400 * 1024 ** 2;

/**
 * MiB of address space. Of these V8 and WebAssembly reserve 1,200 at the start (measured with Node 24 on x86-64),
 * without the memory behind it; what is left bounds what the process really takes.
 */
const addressMiB = 1_600;

/**
 * V8's share of that. Without the handler WebAssembly reserves no 10 GiB around each of its memories, and with a most of
 * 512 pages of 64 KiB none of the 2 GiB that the codecs declare.
 */
export const nodeFlags = [
  '--disable-wasm-trap-handler',
  '--wasm-max-mem-pages=512',
  '--max-old-space-size=192',
  '--max-semi-space-size=8',
];

/**
 * The limits for so many seconds of audio. Processor time: the start takes less than a second, and a slow single-board
 * computer decodes sixty seconds in one. File size: PCM has 32,000 bytes a second, and mp3 less.
 */
export function decodeLimits(mostSeconds: number): ProcessLimits {
  return {
    addressMiB,
    cpuSeconds: 6 + mostSeconds / 20,
    fileBytes: WAVE_HEADER_BYTES + mostSeconds * SAMPLE_RATE * 2 + 64 * 1024,
  };
}

/** Signals of the kernel, and of V8, for a process beyond its limits. */
const limitSignals: readonly (NodeJS.Signals | null)[] = [
  'SIGXCPU',
  'SIGXFSZ',
  'SIGABRT',
  'SIGTRAP',
  'SIGSEGV',
  'SIGBUS',
  'SIGILL',
];

const script = fileURLToPath(new URL('./decode-process.ts', import.meta.url));

/** Starts a decoding process under its limits. It reads the file from standard input. */
export function startDecoder(job: DecodeJob): ChildProcess {
  const { program, args } = limitedCommand(decodeLimits(job.mostSeconds), process.execPath, [
    ...nodeFlags,
    script,
    JSON.stringify(job),
  ]);
  // The server's secrets are none of its business. One arena: glibc reserves 64 MiB for each.
  const env = { PATH: process.env.PATH, MALLOC_ARENA_MAX: '1' };
  return spawn(program, args, { env, stdio: 'pipe' });
}

async function runChild(
  { source, size, output, mostSeconds }: DecodeInput,
  format: DecodeJob['format'],
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<Decoded> {
  if (signal.aborted) source.destroy();
  signal.throwIfAborted();
  const child = startDecoder({ output, mostSeconds, format });
  const stop = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  // However slow the store is: nobody waits for longer than it takes to listen to.
  const timer = setTimeout(stop, (600 + mostSeconds) * 1000);
  try {
    let reply: DecodeEnd | undefined;
    let complaint = '';
    createInterface({ input: child.stderr as Readable }).on('line', (line) => {
      if (complaint === '' || /error/i.test(line)) complaint = line;
    });
    createInterface({ input: child.stdout as Readable }).on('line', (text) => {
      const line: DecodeLine = JSON.parse(text);
      if (line.kind === 'read') onProgress?.(Math.min(1, line.bytes / size));
      else reply = line;
    });
    const ended = new Promise<NodeJS.Signals | number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, killed) => resolve(killed ?? code));
    });
    const [fed, end] = await Promise.allSettled([
      pipeline(source, child.stdin as NodeJS.WritableStream),
      ended,
    ]);
    signal.throwIfAborted();
    if (end.status === 'rejected') throw end.reason;
    if (reply?.kind === 'failed') throw new DecodeFailure(reply.code, reply.detail);
    // The child may end before it read everything; that it did not read is no failure of the source.
    if (fed.status === 'rejected' && !isClosedPipe(fed.reason)) throw fed.reason;
    if (reply) return { seconds: reply.seconds, peaks: Buffer.from(reply.peaks, 'base64') };
    if (limitSignals.includes(end.value as NodeJS.Signals) || (end.value as number) > 128) {
      throw new DecodeFailure('unreadable', `beyond the limits: ${end.value} ${complaint}`.trim());
    }
    throw new DecodeFailure('crashed', `ended with ${end.value} ${complaint}`.trim());
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

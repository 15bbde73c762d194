import { Worker } from 'node:worker_threads';

/** What went wrong with a file that should be audio. */
export type DecodeFailureCode =
  /** Neither Ogg Opus nor 16-bit WAV, or damaged. */
  | 'unreadable'
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

export interface DecodeFiles {
  readonly input: string;
  readonly output: string;
}

export interface DecodeJob extends DecodeFiles {
  readonly format: 'wav' | 'mp3';
}

/** What was in a file. */
export interface Decoded {
  /** Seconds of audio. */
  readonly seconds: number;
  /** How it is drawn: 0–255 for each of at most `limits.recording.peaks` equal parts. */
  readonly peaks: Uint8Array;
}

export type DecodeReply =
  | ({ readonly ok: true } & Decoded)
  | { readonly ok: false; readonly code: DecodeFailureCode; readonly detail: string };

/** What the thread says: the fraction of the file that is read, now and then, and in the end the reply. */
export type DecodeMessage = { readonly fraction: number } | { readonly reply: DecodeReply };

/** Called with the fraction done, rising from 0 to 1. */
type OnProgress = (fraction: number) => void;

/**
 * Decodes an Ogg Opus or WAV file into a WAV file of 16 kHz mono 16-bit PCM, which is on disk when this
 * returns. Of a file that ends too early it decodes what is there.
 * @throws DecodeFailure
 */
export function decodeToWave(
  files: DecodeFiles,
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<Decoded> {
  return runThread({ ...files, format: 'wav' }, signal, onProgress);
}

/**
 * Makes an mp3 of an Ogg Opus or WAV file, 16 kHz mono.
 * @throws DecodeFailure
 */
export function decodeToMp3(files: DecodeFiles, signal: AbortSignal): Promise<Decoded> {
  return runThread({ ...files, format: 'mp3' }, signal);
}

/** Decoding takes a tenth of it, however long the recording is. */
const heapMb = 512;

/** Runs in a thread of its own: an hour takes seconds, in which this one has to go on answering. */
async function runThread(
  job: DecodeJob,
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<Decoded> {
  signal.throwIfAborted();
  const thread = new Worker(new URL('./decode-thread.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  const stop = () => void thread.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const reply = await new Promise<DecodeReply>((resolve, reject) => {
      thread.on('message', (message: DecodeMessage) => {
        if ('reply' in message) resolve(message.reply);
        else onProgress?.(message.fraction);
      });
      thread.once('error', reject);
      thread.once('exit', () => reject(signal.reason ?? new Error('the decoder ended silently')));
    });
    if (!reply.ok) throw new DecodeFailure(reply.code, reply.detail);
    return reply;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw new DecodeFailure('unreadable', 'no recording takes so much memory');
  } finally {
    signal.removeEventListener('abort', stop);
    await thread.terminate();
  }
}

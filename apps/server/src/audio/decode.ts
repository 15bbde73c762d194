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

export interface DecodeJob {
  readonly input: string;
  readonly output: string;
}

export type DecodeReply =
  | { readonly ok: true; readonly seconds: number }
  | { readonly ok: false; readonly code: DecodeFailureCode; readonly detail: string };

/**
 * Decodes an Ogg Opus or WAV file into a WAV file of 16 kHz mono 16-bit PCM, in a thread of its own:
 * an hour takes seconds, in which this one has to go on answering.
 * @returns seconds of audio, as decoded
 * @throws DecodeFailure
 */
export async function decodeToWave(job: DecodeJob, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  const thread = new Worker(new URL('./decode-thread.ts', import.meta.url), { workerData: job });
  const stop = () => void thread.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const reply = await new Promise<DecodeReply>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () => reject(signal.reason ?? new Error('the decoder ended silently')));
    });
    if (!reply.ok) throw new DecodeFailure(reply.code, reply.detail);
    return reply.seconds;
  } finally {
    signal.removeEventListener('abort', stop);
    await thread.terminate();
  }
}

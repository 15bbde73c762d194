/** Brings a large file over a bad line: goes on where a broken download stopped, and checks what came. */
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { ModelFailure } from './failure.ts';
import { sha256Of } from './store.ts';

export interface Download {
  readonly address: string;
  /** Where it goes when it is whole; until then it is beside it, with `.part` behind its name. */
  readonly file: string;
  /** What is known of it. */
  readonly bytes?: number | undefined;
  readonly sha256?: string | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Seconds before a try that follows one which brought nothing. */
  readonly pauseSeconds?: number;
}

/** Tries in a row that bring nothing new, after which somebody has to look. */
const FRUITLESS_TRIES = 5;
const PAUSE_SECONDS = 5;
/** What is written although nobody said how large it is: more than any model there is. */
const LARGEST_BYTES = 20 * 2 ** 30;

/**
 * @returns the SHA-256 of what came
 * @throws ModelFailure when it cannot be had, or is not what it should be; what came so far stays for the
 * next try unless it is wrong
 */
export async function download(job: Download): Promise<string> {
  const part = `${job.file}.part`;
  let fruitless = 0;
  for (;;) {
    const before = await sizeOf(part);
    const outcome = await attempt(job, part, before);
    if (outcome.status === 'whole') break;
    fruitless = (await sizeOf(part)) > before ? 0 : fruitless + 1;
    if (fruitless >= FRUITLESS_TRIES) {
      throw new ModelFailure(
        `${job.address} could not be had: ${outcome.reason}. Give the command again to go on where it stopped.`,
      );
    }
    if (fruitless > 0) {
      await pause((job.pauseSeconds ?? PAUSE_SECONDS) * 1000, undefined, { signal: job.signal });
    }
  }
  const sha256 = await sha256Of(part);
  if (job.sha256 !== undefined && sha256 !== job.sha256) {
    await rm(part);
    throw new ModelFailure(
      `what came from ${job.address} is not what it should be: its SHA-256 is ${sha256} instead of ${job.sha256}`,
    );
  }
  await rename(part, job.file);
  return sha256;
}

type Outcome =
  | { readonly status: 'whole' }
  | { readonly status: 'broken'; readonly reason: string };
const broken = (reason: string): Outcome => ({ status: 'broken', reason });

/** One request, from where the part ends. */
async function attempt(job: Download, part: string, from: number): Promise<Outcome> {
  if (job.bytes !== undefined && from === job.bytes) return { status: 'whole' };
  const { signal = null } = job;
  const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
  // As it is, byte for byte: an encoding would make ranges meaningless.
  headers['accept-encoding'] = 'identity';
  let response: Response;
  try {
    response = await fetch(job.address, { headers, signal });
  } catch (error) {
    signal?.throwIfAborted();
    return broken(reasonOf(error));
  }
  const answer = judge(response, from, job);
  if ('outcome' in answer) {
    await response.body?.cancel();
    // A part that does not fit what is offered is of no use.
    if (answer.discard) await rm(part, { force: true });
    return answer.outcome;
  }
  if (response.body === null) return broken('an empty answer');
  const { start, total } = answer;
  try {
    await pipeline(
      Readable.fromWeb(response.body),
      counted(start, total ?? LARGEST_BYTES, (at) => {
        if (total !== undefined && total > 0) job.onProgress?.(at / total);
      }),
      createWriteStream(part, start > 0 ? { flags: 'r+', start } : { flags: 'w' }),
      { signal: signal ?? undefined },
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ModelFailure) {
      await rm(part, { force: true });
      throw error;
    }
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC') throw new ModelFailure(`no room for ${part}`, { cause: error });
    return broken(reasonOf(error));
  }
  const size = await sizeOf(part);
  if (total !== undefined && size !== total) return broken(`${size} of ${total} bytes came`);
  return { status: 'whole' };
}

type Answer =
  | { readonly start: number; readonly total: number | undefined }
  | { readonly outcome: Outcome; readonly discard: boolean };

/** What an answer's head means: from where it goes on, or why it does not. */
function judge(response: Response, from: number, job: Download): Answer {
  const { status } = response;
  if (status === 200) {
    const length = response.headers.get('content-length');
    const total = length === null ? job.bytes : Number(length);
    return checked(job, { start: 0, total });
  }
  if (status === 206) {
    const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
    if (range === null || Number(range[1]) !== from) {
      const outcome = broken('the server sent another part than was asked for');
      return { outcome, discard: true };
    }
    return checked(job, { start: from, total: Number(range[3]) });
  }
  if (status === 416) {
    const total = /^bytes \*\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
    if (Number(total) === from) return { outcome: { status: 'whole' }, discard: false };
    return { outcome: broken('what came so far fits no more'), discard: true };
  }
  // It may be there later; what is not there, or not for everybody, will not.
  if (status >= 500 || status === 429) {
    return { outcome: broken(`the server answered ${status}`), discard: false };
  }
  throw new ModelFailure(`${job.address} could not be had: the server answered ${status}`);
}

function checked(job: Download, answer: { start: number; total: number | undefined }): Answer {
  if (job.bytes === undefined || answer.total === job.bytes) return answer;
  throw new ModelFailure(
    `${job.address} offers ${answer.total} bytes instead of ${job.bytes}: it is another file`,
  );
}

/** Counts what comes by, and lets no more by than there should be. */
function counted(start: number, most: number, onBytes: (at: number) => void): Transform {
  let at = start;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      at += chunk.length;
      if (at > most) return done(new ModelFailure('more came than was announced'));
      onBytes(at);
      done(null, chunk);
    },
  });
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

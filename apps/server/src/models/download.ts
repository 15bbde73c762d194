/** Downloads large files over unreliable connections, resuming interrupted downloads and verifying the result. */
import { createWriteStream } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { ModelFailure, storageFailure } from './failure.ts';
import { hashFile } from './store.ts';

export interface Download {
  readonly address: string;
  /** Path of the complete file. The incomplete file has the suffix `.part`. */
  readonly file: string;
  /** Expected size, if known. */
  readonly bytes?: number | undefined;
  readonly sha256?: string | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Seconds to wait after an attempt without progress. */
  readonly pauseSeconds?: number;
}

/** Number of consecutive attempts without progress before the download fails. */
const MAX_STALLED_ATTEMPTS = 5;
const PAUSE_SECONDS = 5;
/** Maximum number of bytes of a download whose size is unknown; larger than any model. */
const MAX_UNKNOWN_BYTES = 20 * 2 ** 30;

/**
 * Downloads a file, resuming a partial download. If the server's file has changed (its ETag differs), or the resumed
 * file has the wrong content, starts over once.
 * @returns the file's SHA-256
 * @throws ModelFailure if the download fails (`unreachable`, `refused`, `storage-full`) or its content is wrong
 * (`content-mismatch`). A partial file is kept for the next attempt unless its content is wrong.
 */
export async function download(job: Download): Promise<string> {
  const part = `${job.file}.part`;
  // A process killed before it used the file leaves a complete file behind.
  if ((await getFileSize(part)) === 0 && (await getFileSize(job.file)) > 0)
    await rename(job.file, part);
  const isResumed = (await getFileSize(part)) > 0;
  await transfer(job, part);
  let sha256 = await hashFile(part);
  if (isResumed && job.sha256 !== undefined && sha256 !== job.sha256) {
    await discard(part);
    await transfer(job, part);
    sha256 = await hashFile(part);
  }
  if (job.sha256 !== undefined && sha256 !== job.sha256) {
    await discard(part);
    throw new ModelFailure(
      `${job.address} has unexpected content: its SHA-256 is ${sha256} instead of ${job.sha256}`,
      { code: 'content-mismatch' },
    );
  }
  await rename(part, job.file);
  await rm(etagFile(part), { force: true });
  return sha256;
}

/** Requests the file until the partial file is complete. */
async function transfer(job: Download, part: string): Promise<void> {
  let stalled = 0;
  for (;;) {
    const previousBytes = await getFileSize(part);
    const outcome = await attempt(job, part, previousBytes);
    if (outcome.status === 'complete') return;
    stalled = (await getFileSize(part)) > previousBytes ? 0 : stalled + 1;
    if (stalled >= MAX_STALLED_ATTEMPTS) {
      throw new ModelFailure(`${job.address} could not be downloaded: ${outcome.reason}`, {
        code: 'unreachable',
      });
    }
    if (stalled > 0) {
      await pause((job.pauseSeconds ?? PAUSE_SECONDS) * 1000, undefined, { signal: job.signal });
    }
  }
}

/** Returns the path of the file with a partial file's ETag. */
const etagFile = (part: string) => `${part}.etag`;

async function discard(part: string): Promise<void> {
  await rm(part, { force: true });
  await rm(etagFile(part), { force: true });
}

/** Returns a partial file's ETag, or null if there is no partial file or the server sent no ETag. */
async function savedEtag(part: string): Promise<string | null> {
  return readFile(etagFile(part), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

type Outcome =
  | { readonly status: 'complete' }
  | { readonly status: 'incomplete'; readonly reason: string };
const createIncompleteOutcome = (reason: string): Outcome => ({ status: 'incomplete', reason });

/** Requests the rest of the file once. */
async function attempt(job: Download, part: string, from: number): Promise<Outcome> {
  if (job.bytes !== undefined && from === job.bytes) return { status: 'complete' };
  const { signal = null } = job;
  const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
  const etag = from > 0 ? await savedEtag(part) : null;
  // If the file has changed, the server then sends all of it. A weak ETag isn't valid here, so it is compared below.
  if (etag?.startsWith('"')) headers['if-range'] = etag;
  // Range requests work only on unencoded bytes.
  headers['accept-encoding'] = 'identity';
  let response: Response;
  try {
    response = await fetch(job.address, { headers, signal });
  } catch (error) {
    signal?.throwIfAborted();
    return createIncompleteOutcome(getErrorMessage(error));
  }
  const interpreted = interpret(response, from, etag, job);
  if ('outcome' in interpreted) {
    await response.body?.cancel();
    // A partial file that doesn't match the server's file is useless.
    if (interpreted.discard) await discard(part);
    return interpreted.outcome;
  }
  if (response.body === null) return createIncompleteOutcome('the response is empty');
  const { start, total } = interpreted;
  if (start === 0) await saveEtag(part, response.headers.get('etag'));
  try {
    await pipeline(
      Readable.fromWeb(response.body),
      limitBytes(start, total ?? MAX_UNKNOWN_BYTES, (bytesSoFar) => {
        if (total !== undefined && total > 0) job.onProgress?.(bytesSoFar / total);
      }),
      createWriteStream(part, start > 0 ? { flags: 'r+', start } : { flags: 'w' }),
      { signal: signal ?? undefined },
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ModelFailure) {
      await discard(part);
      throw error;
    }
    const storageError = storageFailure(error);
    if (storageError) throw storageError;
    return createIncompleteOutcome(getErrorMessage(error));
  }
  const size = await getFileSize(part);
  if (total !== undefined && size !== total)
    return createIncompleteOutcome(`received ${size} of ${total} bytes`);
  return { status: 'complete' };
}

/** Saves the ETag before the content, so that a partial file never has the ETag of a different version. */
async function saveEtag(part: string, etag: string | null): Promise<void> {
  await discard(part);
  if (etag !== null) await writeFile(etagFile(part), etag);
}

type Interpretation =
  | { readonly start: number; readonly total: number | undefined }
  | { readonly outcome: Outcome; readonly discard: boolean };

/** Interprets the response headers. Returns the offset to continue from, or the outcome if there is nothing to read. */
function interpret(
  response: Response,
  from: number,
  savedEtag: string | null,
  job: Download,
): Interpretation {
  const { status } = response;
  if (status === 200) {
    const length = response.headers.get('content-length');
    const total = length === null ? job.bytes : Number(length);
    return checkSize(job, { start: 0, total });
  }
  if (status === 206) {
    const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
    if (range === null || Number(range[1]) !== from) {
      const outcome = createIncompleteOutcome('the server sent a different range than requested');
      return { outcome, discard: true };
    }
    const etag = response.headers.get('etag');
    if (savedEtag !== null && etag !== null && etag !== savedEtag) {
      return {
        outcome: createIncompleteOutcome('the file has changed on the server'),
        discard: true,
      };
    }
    return checkSize(job, { start: from, total: Number(range[3]) });
  }
  if (status === 416) {
    const total = /^bytes \*\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
    if (Number(total) === from) return { outcome: { status: 'complete' }, discard: false };
    return {
      outcome: createIncompleteOutcome('the partial file no longer matches'),
      discard: true,
    };
  }
  // Server errors and throttling may be temporary. Other errors aren't.
  if (status >= 500 || status === 429) {
    return { outcome: createIncompleteOutcome(`the server returned ${status}`), discard: false };
  }
  throw new ModelFailure(`${job.address} could not be downloaded: the server returned ${status}`, {
    code: 'refused',
  });
}

function checkSize(
  job: Download,
  range: { start: number; total: number | undefined },
): Interpretation {
  if (job.bytes === undefined || range.total === job.bytes) return range;
  throw new ModelFailure(
    `${job.address} offers ${range.total} bytes instead of ${job.bytes}: it is a different file`,
    { code: 'refused' },
  );
}

/** Counts the bytes that pass through. Throws if they exceed the expected total. */
function limitBytes(
  start: number,
  maximum: number,
  onBytes: (bytesSoFar: number) => void,
): Transform {
  let bytesSoFar = start;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytesSoFar += chunk.length;
      if (bytesSoFar > maximum)
        return done(
          new ModelFailure('the server sent more bytes than announced', { code: 'refused' }),
        );
      onBytes(bytesSoFar);
      done(null, chunk);
    },
  });
}

/** Returns a file's size in bytes, or 0 if it doesn't exist. */
export async function getFileSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

function getErrorMessage(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

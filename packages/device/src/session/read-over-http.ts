/** Reading one session over the recorder's HTTP service (PROTOCOL.md, section 10): the bulk of it, fast. */
import { fromHex } from '@linnet/base';
import { type Clock, systemClock } from '../clock.ts';
import { CHUNK_SIZE } from '../codec/index.ts';
import { DeviceError, type DeviceErrorCode } from '../errors.ts';
import { HTTP_SILENCE_MS } from './timing.ts';
import type { ReadSessionOptions, SessionDigest } from './types.ts';

/** Chunks that are handed over together: each time they are made durable, which costs the same for few. */
const CHUNKS_AT_ONCE = 160;

/**
 * Reads a session from a chunk on, as `RecorderSession.readSession` does, but for one that is still recorded;
 * `onChunk` gets many chunks at once. What breaks off is `link_lost`: it goes on from the chunk it has, over
 * this or any other link. Only for version 1: a recorder that is bound under version 2 serves no HTTP.
 * @throws {DeviceError} `link_lost`, `token_refused`, `session_unknown`, `session_recording`,
 *   `chunk_out_of_range`, `reply_malformed`, `aborted`, or whatever `onChunk` rejects with
 */
export async function readSessionOverHttp(
  place: { readonly origin: string; readonly token: string },
  sessionId: number,
  fromChunk: number,
  options: ReadSessionOptions,
  clock: Clock = systemClock,
): Promise<SessionDigest> {
  const { signal, onChunk, onStart } = options;
  const silence = new AbortController();
  const either = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
  let cancelSilence = () => {};
  const listen = () => {
    cancelSilence();
    cancelSilence = clock.after(HTTP_SILENCE_MS, () => silence.abort());
  };
  /** The network's failures, as a reader sees them. */
  const heard = async <T>(work: Promise<T>): Promise<T> => {
    listen();
    try {
      return await work;
    } catch (cause) {
      throw new DeviceError(signal?.aborted ? 'aborted' : 'link_lost', { cause });
    } finally {
      cancelSilence();
    }
  };

  const from = fromChunk * CHUNK_SIZE;
  const response = await heard(
    fetch(`${place.origin}/sessions/${sessionId}`, {
      headers: { Authorization: `Bearer ${place.token}`, Range: `bytes=${from}-` },
      signal: either,
      cache: 'no-store',
    }),
  );
  const { fileSize, sha256, isAtEnd } = whatItSays(response, from);
  onStart?.({ fileSize, stillRecording: false });
  if (isAtEnd || !response.body) {
    await response.body?.cancel();
    return { fileSize, sha256 };
  }

  const reader = response.body.getReader();
  const block = new Uint8Array(CHUNKS_AT_ONCE * CHUNK_SIZE);
  let filled = 0;
  let index = fromChunk;
  let received = from;
  /** What was handed over last, being made durable: meanwhile the next comes. */
  let storing: Promise<void> = Promise.resolve();
  /** Hands over the whole chunks that came, after those before; at the end also the short one. */
  const handOver = async (isLast: boolean) => {
    await storing;
    const size = isLast ? filled : filled - (filled % CHUNK_SIZE);
    if (size === 0) return;
    storing = onChunk(index, block.slice(0, size));
    // Nothing more is wanted then; that it failed is heard where it is awaited.
    storing.catch(() => reader.cancel().catch(() => undefined));
    index += Math.ceil(size / CHUNK_SIZE);
    block.copyWithin(0, size, filled);
    filled -= size;
  };
  try {
    for (;;) {
      const { done, value } = await heard(reader.read());
      if (done) break;
      received += value.length;
      for (let at = 0; at < value.length; ) {
        const part = value.subarray(at, at + block.length - filled);
        block.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled === block.length) await handOver(false);
      }
    }
    await storing;
    if (received < fileSize) throw new DeviceError('link_lost');
    await handOver(true);
    await storing;
    return { fileSize, sha256 };
  } catch (error) {
    // What came is worth keeping: the rest comes over another link.
    if (error instanceof DeviceError && error.code === 'link_lost') await handOver(false);
    await storing;
    throw error;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const REFUSALS: Readonly<Record<number, DeviceErrorCode>> = {
  401: 'token_refused',
  404: 'session_unknown',
};

function whatItSays(response: Response, from: number) {
  const refusal = REFUSALS[response.status];
  if (refusal) throw new DeviceError(refusal);
  const range = /^bytes (?:\*|(\d+)-\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
  const fileSize = Number(range?.[2]);
  const isAtEnd = response.status === 416;
  const answered = isAtEnd || (response.status === 206 && Number(range?.[1]) === from);
  if (!answered || !Number.isSafeInteger(fileSize)) throw new DeviceError('reply_malformed');
  // Behind the end of a short last chunk lies the end of the session, as over Bluetooth.
  if (from >= fileSize + CHUNK_SIZE) throw new DeviceError('chunk_out_of_range');
  const hash = /^"([0-9a-f]{64})"$/.exec(response.headers.get('etag') ?? '')?.[1];
  if (!hash) throw new DeviceError('session_recording');
  return { fileSize, sha256: fromHex(hash), isAtEnd };
}

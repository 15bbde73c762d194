/** Reads a session over the recorder's HTTP service (PROTOCOL.md, section 10). */
import { fromHex } from '@linnet/base';
import { type Clock, systemClock } from '../clock.ts';
import { CHUNK_SIZE } from '../codec/index.ts';
import { DeviceError, type DeviceErrorCode } from '../errors.ts';
import { HTTP_SILENCE_MS } from './timing.ts';
import type { ReadSessionOptions, SessionDigest } from './types.ts';

/** Number of chunks per `onChunk` call. Writing a batch to disk takes about as long as writing a single chunk. */
const CHUNKS_PER_BATCH = 160;

/**
 * Reads a session from a given chunk on. Unlike `RecorderSession.readSession`, requires a complete session and passes
 * several chunks per `onChunk` call. An interrupted transfer rejects with `link_lost` and can be resumed at the next
 * chunk over any link. Only recorders bound under version 1 serve HTTP.
 * @throws {DeviceError} `link_lost`, `token_refused`, `session_unknown`, `session_recording`, `chunk_out_of_range`,
 *   `reply_malformed`, `aborted`, or any rejection of `onChunk`
 */
export async function readSessionOverHttp(
  endpoint: { readonly origin: string; readonly token: string },
  sessionId: number,
  fromChunk: number,
  options: ReadSessionOptions,
  clock: Clock = systemClock,
): Promise<SessionDigest> {
  const { signal, onChunk, onStart } = options;
  const silence = new AbortController();
  const anySignal = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
  let cancelSilence = () => {};
  const restartSilenceTimer = () => {
    cancelSilence();
    cancelSilence = clock.after(HTTP_SILENCE_MS, () => silence.abort());
  };
  /** Awaits network I/O with the silence timeout, and converts failures to `DeviceError`. */
  const withSilenceTimeout = async <T>(work: Promise<T>): Promise<T> => {
    restartSilenceTimer();
    try {
      return await work;
    } catch (cause) {
      throw new DeviceError(signal?.aborted ? 'aborted' : 'link_lost', { cause });
    } finally {
      cancelSilence();
    }
  };

  const fromByte = fromChunk * CHUNK_SIZE;
  const response = await withSilenceTimeout(
    fetch(`${endpoint.origin}/sessions/${sessionId}`, {
      headers: { Authorization: `Bearer ${endpoint.token}`, Range: `bytes=${fromByte}-` },
      signal: anySignal,
      cache: 'no-store',
    }),
  );
  const { fileSize, sha256, isAtEnd: isComplete } = parseResponse(response, fromByte);
  onStart?.({ fileSize, stillRecording: false });
  if (isComplete || !response.body) {
    await response.body?.cancel();
    return { fileSize, sha256 };
  }

  const reader = response.body.getReader();
  const block = new Uint8Array(CHUNKS_PER_BATCH * CHUNK_SIZE);
  let filled = 0;
  let index = fromChunk;
  let received = fromByte;
  /** The pending `onChunk` call. The next block is received while it runs. */
  let storing: Promise<void> = Promise.resolve();
  /** Passes complete chunks to `onChunk` once the previous call is done. At the end, includes the short last chunk. */
  const flush = async (isLast: boolean) => {
    await storing;
    const size = isLast ? filled : filled - (filled % CHUNK_SIZE);
    if (size === 0) return;
    storing = onChunk(index, block.slice(0, size));
    // Stop reading if storing fails. The error itself is thrown where `storing` is awaited. Canceling fails only if the
    // response has already ended.
    storing.catch(() => reader.cancel().catch(() => undefined));
    index += Math.ceil(size / CHUNK_SIZE);
    block.copyWithin(0, size, filled);
    filled -= size;
  };
  try {
    for (;;) {
      const { done, value } = await withSilenceTimeout(reader.read());
      if (done) break;
      received += value.length;
      for (let offset = 0; offset < value.length; ) {
        const part = value.subarray(offset, offset + block.length - filled);
        block.set(part, filled);
        filled += part.length;
        offset += part.length;
        if (filled === block.length) await flush(false);
      }
    }
    await storing;
    if (received < fileSize) throw new DeviceError('link_lost');
    await flush(true);
    await storing;
    return { fileSize, sha256 };
  } catch (error) {
    // Store the received chunks so that another link can continue from there.
    if (error instanceof DeviceError && error.code === 'link_lost') await flush(false);
    await storing;
    throw error;
  } finally {
    // Canceling fails only if the response has already failed, in which case that error is thrown above.
    await reader.cancel().catch(() => undefined);
  }
}

const REFUSALS: Readonly<Record<number, DeviceErrorCode>> = {
  401: 'token_refused',
  404: 'session_unknown',
};

function parseResponse(response: Response, fromByte: number) {
  const refusal = REFUSALS[response.status];
  if (refusal) throw new DeviceError(refusal);
  const range = /^bytes (?:\*|(\d+)-\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
  const fileSize = Number(range?.[2]);
  const isComplete = response.status === 416;
  const isValid = isComplete || (response.status === 206 && Number(range?.[1]) === fromByte);
  if (!isValid || !Number.isSafeInteger(fileSize)) throw new DeviceError('reply_malformed');
  // As over Bluetooth, the index after a short last chunk is a valid end position.
  if (fromByte >= fileSize + CHUNK_SIZE) throw new DeviceError('chunk_out_of_range');
  const hash = /^"([0-9a-f]{64})"$/.exec(response.headers.get('etag') ?? '')?.[1];
  if (!hash) throw new DeviceError('session_recording');
  return { fileSize, sha256: fromHex(hash), isAtEnd: isComplete };
}

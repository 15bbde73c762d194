/**
 * Reads a session as a windowed stream of chunks, passed to the caller in order. A chunk is acknowledged only after the
 * caller has stored it, and requested again if it was damaged in transit.
 */
import type { Clock } from '../clock.ts';
import { type AnyStream, CHUNK_SIZE, PACKET_SIZE } from '../codec/index.ts';
import { DeviceError } from '../errors.ts';
import type { Link } from './link.ts';
import {
  ACKNOWLEDGE_EVERY_CHUNKS,
  STREAM_RESTARTS,
  STREAM_SILENCE_MS,
  STREAM_WINDOW_CHUNKS,
} from './timing.ts';
import type { ReadSessionOptions, SessionDigest } from './types.ts';

type Interruption = 'reply_malformed' | 'length_differs' | 'stream_silent';

type Outcome =
  | { readonly kind: 'finished'; readonly digest: SessionDigest }
  /** A chunk is missing, or the recorder stopped sending. The stream must resume at `nextChunk`. */
  | {
      readonly kind: 'interrupted';
      readonly nextChunk: number;
      readonly reason: Interruption;
    };

/** Reads a session, restarting the stream after interruptions. @throws {DeviceError} or any rejection of `onChunk` */
export async function readSession(
  link: Link,
  clock: Clock,
  sessionId: number,
  fromChunk: number,
  options: ReadSessionOptions,
): Promise<SessionDigest> {
  let nextChunk = fromChunk;
  let restartCount = 0;
  let onStart = options.onStart;
  for (;;) {
    const pass = new StreamPass(link, clock, nextChunk, options);
    const outcome = await pass.run(sessionId, onStart);
    if (outcome.kind === 'finished') return outcome.digest;
    restartCount = outcome.nextChunk > nextChunk ? 0 : restartCount + 1;
    if (restartCount > STREAM_RESTARTS) throw new DeviceError(outcome.reason);
    nextChunk = outcome.nextChunk;
    onStart = undefined;
  }
}

/** A single stream of chunks, from the request to the stream's end or interruption. */
class StreamPass {
  private nextExpected: number;
  private storedChunks: number;
  private acknowledgedChunks: number;
  private sequence = -1;
  private wasLastChunkShort = false;
  /** Received chunks that are waiting to be stored. */
  private readonly queued: Uint8Array[] = [];
  /** The chain of `onChunk` calls. They run one at a time. */
  private storing: Promise<void> = Promise.resolve();
  /** Messages that arrived before the response to the request. */
  private readonly earlyParts: AnyStream[] = [];
  private hasStarted = false;
  /** True if the stream was interrupted. Chunks are then no longer accepted, but queued ones are still stored. */
  private isInterrupted = false;
  private hasEnded = false;
  private cancelSilenceTimer: (() => void) | undefined;
  private readonly outcome = Promise.withResolvers<Outcome>();
  private readonly link: Link;
  private readonly clock: Clock;
  private readonly options: ReadSessionOptions;

  constructor(link: Link, clock: Clock, fromChunk: number, options: ReadSessionOptions) {
    this.link = link;
    this.clock = clock;
    this.options = options;
    this.nextExpected = fromChunk;
    this.storedChunks = fromChunk;
    this.acknowledgedChunks = fromChunk;
  }

  async run(sessionId: number, onStart: ReadSessionOptions['onStart']): Promise<Outcome> {
    const { signal } = this.options;
    if (signal?.aborted) throw new DeviceError('aborted', { cause: signal.reason });
    const onAbort = () => this.fail(new DeviceError('aborted', { cause: signal?.reason }));
    signal?.addEventListener('abort', onAbort);
    const stopListening = this.link.onStream((part, sequence) => this.receive(part, sequence));
    const stopWatching = this.link.onClosed(() => this.fail(new DeviceError('link_lost')));
    // The outcome may be rejected before it's awaited below, so mark the rejection as handled.
    this.outcome.promise.catch(() => undefined);
    try {
      const { maxChunksPerCall = 1 } = this.options;
      // Let the window hold two batches, so that the next one is received while the current one is stored.
      const window = Math.max(STREAM_WINDOW_CHUNKS, 2 * maxChunksPerCall);
      const request = { sessionId, fromChunk: this.nextExpected, window };
      const response = await this.link.request('syncFile', request, (sequence) => {
        this.sequence = sequence;
      });
      onStart?.(response);
      this.hasStarted = true;
      this.restartSilenceTimer();
      for (const part of this.earlyParts.splice(0)) this.accept(part);
      return await this.outcome.promise;
    } catch (error) {
      await this.stopRecorder(error);
      throw error;
    } finally {
      this.hasEnded = true;
      this.cancelSilenceTimer?.();
      signal?.removeEventListener('abort', onAbort);
      stopListening();
      stopWatching();
      // Wait for the pending `onChunk` call, so that none is running when this method returns. If the call fails, it
      // has already rejected the outcome.
      await this.storing.catch(() => undefined);
    }
  }

  /** Sends `syncStop` if the stream was started and the link is open. */
  private async stopRecorder(reason: unknown): Promise<void> {
    if (!this.hasStarted || (reason instanceof DeviceError && reason.code === 'link_lost')) return;
    await this.link.request('syncStop', {}).catch((error: unknown) => {
      // The caller gets `reason` either way. A recorder that misses this request stops at the end of the window.
      if (!(error instanceof DeviceError)) throw error;
    });
  }

  private receive(part: AnyStream, sequence: number): void {
    if (sequence !== this.sequence || this.hasEnded) return;
    if (this.hasStarted) this.accept(part);
    else this.earlyParts.push(part);
  }

  private accept(part: AnyStream): void {
    if (this.hasEnded || this.isInterrupted) return;
    this.restartSilenceTimer();
    if (part.name === 'chunk') this.acceptChunk(part.value.chunkIndex, part.value.data);
    if (part.name === 'end') this.acceptEnd(part.value);
  }

  private acceptChunk(index: number, data: Uint8Array): void {
    if (index < this.nextExpected) return;
    if (index > this.nextExpected) {
      this.restart('reply_malformed');
      return;
    }
    const isValid = data.length > 0 && data.length <= CHUNK_SIZE && data.length % PACKET_SIZE === 0;
    if (!isValid || this.wasLastChunkShort) {
      this.fail(new DeviceError('reply_malformed'));
      return;
    }
    this.wasLastChunkShort = data.length < CHUNK_SIZE;
    this.nextExpected += 1;
    this.queued.push(data);
    this.storing = this.storing.then(() => this.store());
    this.storing.catch((error: unknown) => this.fail(error));
  }

  /** Passes the next batch to `onChunk`. Does nothing if an earlier batch already included its chunks. */
  private async store(): Promise<void> {
    if (this.hasEnded || this.queued.length === 0) return;
    const batch = this.queued.splice(0, this.options.maxChunksPerCall ?? 1);
    await this.options.onChunk(this.storedChunks, concat(batch));
    this.storedChunks += batch.length;
    this.restartSilenceTimer();
    if (this.storedChunks - this.acknowledgedChunks >= ACKNOWLEDGE_EVERY_CHUNKS)
      await this.acknowledge();
  }

  private acceptEnd(end: SessionDigest): void {
    const chunks = Math.ceil(end.fileSize / CHUNK_SIZE);
    if (chunks > this.nextExpected) {
      this.restart('length_differs');
      return;
    }
    if (chunks < this.nextExpected) {
      this.cancelSilenceTimer?.();
      // Store the queued chunks before failing.
      this.storing = this.storing.then(() => this.fail(new DeviceError('length_differs')));
      this.storing.catch((error: unknown) => this.fail(error));
      return;
    }
    this.cancelSilenceTimer?.();
    this.storing = this.storing.then(async () => {
      if (this.hasEnded) return;
      await this.acknowledge();
      this.outcome.resolve({ kind: 'finished', digest: end });
    });
    this.storing.catch((error: unknown) => this.fail(error));
  }

  private async acknowledge(): Promise<void> {
    this.acknowledgedChunks = this.storedChunks;
    await this.link.acknowledge(this.storedChunks, this.sequence);
  }

  /** Ends this stream once all received chunks have been stored. The next stream's request stops the recorder. */
  private restart(reason: Interruption): void {
    this.cancelSilenceTimer?.();
    this.isInterrupted = true;
    this.storing = this.storing.then(() => {
      this.outcome.resolve({ kind: 'interrupted', nextChunk: this.storedChunks, reason });
    });
    this.storing.catch((error: unknown) => this.fail(error));
  }

  private fail(error: unknown): void {
    this.hasEnded = true;
    this.cancelSilenceTimer?.();
    this.outcome.reject(error);
  }

  /**
   * Restarts the silence timer, unless chunks are still being stored: the recorder may be waiting for their
   * acknowledgement.
   */
  private restartSilenceTimer(): void {
    this.cancelSilenceTimer?.();
    if (this.hasEnded || this.isInterrupted || this.storedChunks < this.nextExpected) return;
    this.cancelSilenceTimer = this.clock.after(STREAM_SILENCE_MS, () =>
      this.restart('stream_silent'),
    );
  }
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(0)] = parts;
  if (parts.length <= 1) return first;
  const joined = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/**
 * Reads one session as a windowed stream of chunks. Each chunk is passed on in order, acknowledged once
 * it is durable, and requested again if it was damaged in transit.
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
  /** A chunk is missing, or the stream is silent. `nextChunk` is the position to resume from. */
  | {
      readonly kind: 'interrupted';
      readonly nextChunk: number;
      readonly reason: Interruption;
    };

/** @throws {DeviceError}, or any rejection of `onChunk` */
export async function readSession(
  link: Link,
  clock: Clock,
  sessionId: number,
  fromChunk: number,
  options: ReadSessionOptions,
): Promise<SessionDigest> {
  let nextChunk = fromChunk;
  let restarts = 0;
  let onStart = options.onStart;
  for (;;) {
    const pass = new StreamPass(link, clock, nextChunk, options);
    const outcome = await pass.run(sessionId, onStart);
    if (outcome.kind === 'finished') return outcome.digest;
    restarts = outcome.nextChunk > nextChunk ? 0 : restarts + 1;
    if (restarts > STREAM_RESTARTS) throw new DeviceError(outcome.reason);
    nextChunk = outcome.nextChunk;
    onStart = undefined;
  }
}

/** One stream, from its request to its end. */
class StreamPass {
  private expected: number;
  private durable: number;
  private acknowledged: number;
  private sequence = -1;
  private lastWasShort = false;
  /** Received chunks that are not being stored yet, starting at `durable`. */
  private readonly queued: Uint8Array[] = [];
  /** Chain of `onChunk` calls, which run one at a time. */
  private storing: Promise<void> = Promise.resolve();
  /** Parts that arrived before the response to the request. */
  private readonly earlyParts: AnyStream[] = [];
  private started = false;
  /** A chunk is missing: no further chunks are accepted, but queued ones are still stored and acknowledged. */
  private interrupted = false;
  private ended = false;
  private cancelStall: (() => void) | undefined;
  private readonly outcome = Promise.withResolvers<Outcome>();
  private readonly link: Link;
  private readonly clock: Clock;
  private readonly options: ReadSessionOptions;

  constructor(link: Link, clock: Clock, fromChunk: number, options: ReadSessionOptions) {
    this.link = link;
    this.clock = clock;
    this.options = options;
    this.expected = fromChunk;
    this.durable = fromChunk;
    this.acknowledged = fromChunk;
  }

  async run(sessionId: number, onStart: ReadSessionOptions['onStart']): Promise<Outcome> {
    const { signal } = this.options;
    if (signal?.aborted) throw new DeviceError('aborted', { cause: signal.reason });
    const onAbort = () => this.fail(new DeviceError('aborted', { cause: signal?.reason }));
    signal?.addEventListener('abort', onAbort);
    const stopListening = this.link.onStream((part, sequence) => this.receive(part, sequence));
    const stopWatching = this.link.onClosed(() => this.fail(new DeviceError('link_lost')));
    // The outcome may be rejected before it is awaited below.
    this.outcome.promise.catch(() => undefined);
    try {
      const { chunksAtOnce = 1 } = this.options;
      // Twice the batch size, so that the next batch is received while one is stored.
      const window = Math.max(STREAM_WINDOW_CHUNKS, 2 * chunksAtOnce);
      const request = { sessionId, fromChunk: this.expected, window };
      const response = await this.link.request('syncFile', request, (sequence) => {
        this.sequence = sequence;
      });
      onStart?.(response);
      this.started = true;
      this.watchForStall();
      for (const part of this.earlyParts.splice(0)) this.accept(part);
      return await this.outcome.promise;
    } catch (error) {
      await this.stopRecorder(error);
      throw error;
    } finally {
      this.ended = true;
      this.cancelStall?.();
      signal?.removeEventListener('abort', onAbort);
      stopListening();
      stopWatching();
      // Wait for the pending `onChunk` call, so that none runs after this method returns. Its failure has already rejected
      // the outcome.
      await this.storing.catch(() => undefined);
    }
  }

  /** Sends `syncStop` if the stream was started and the link is open. */
  private async stopRecorder(reason: unknown): Promise<void> {
    if (!this.started || (reason instanceof DeviceError && reason.code === 'link_lost')) return;
    await this.link.request('syncStop', {}).catch((error: unknown) => {
      // The caller already receives `reason`. A recorder that misses this request stops at the end
      // of the window.
      if (!(error instanceof DeviceError)) throw error;
    });
  }

  private receive(part: AnyStream, sequence: number): void {
    if (sequence !== this.sequence || this.ended) return;
    if (this.started) this.accept(part);
    else this.earlyParts.push(part);
  }

  private accept(part: AnyStream): void {
    if (this.ended || this.interrupted) return;
    this.watchForStall();
    if (part.name === 'chunk') this.acceptChunk(part.value.chunkIndex, part.value.data);
    if (part.name === 'end') this.acceptEnd(part.value);
  }

  private acceptChunk(index: number, data: Uint8Array): void {
    if (index < this.expected) return;
    if (index > this.expected) {
      this.restart('reply_malformed');
      return;
    }
    const isValid = data.length > 0 && data.length <= CHUNK_SIZE && data.length % PACKET_SIZE === 0;
    if (!isValid || this.lastWasShort) {
      this.fail(new DeviceError('reply_malformed'));
      return;
    }
    this.lastWasShort = data.length < CHUNK_SIZE;
    this.expected += 1;
    this.queued.push(data);
    this.storing = this.storing.then(() => this.store());
    this.storing.catch((error: unknown) => this.fail(error));
  }

  /** Makes the next batch durable. Does nothing if an earlier batch included its chunks. */
  private async store(): Promise<void> {
    if (this.ended || this.queued.length === 0) return;
    const batch = this.queued.splice(0, this.options.chunksAtOnce ?? 1);
    await this.options.onChunk(this.durable, concat(batch));
    this.durable += batch.length;
    this.watchForStall();
    if (this.durable - this.acknowledged >= ACKNOWLEDGE_EVERY_CHUNKS) await this.acknowledge();
  }

  private acceptEnd(end: SessionDigest): void {
    const chunks = Math.ceil(end.fileSize / CHUNK_SIZE);
    if (chunks > this.expected) {
      this.restart('length_differs');
      return;
    }
    if (chunks < this.expected) {
      this.cancelStall?.();
      // Store the queued chunks before failing.
      this.storing = this.storing.then(() => this.fail(new DeviceError('length_differs')));
      this.storing.catch((error: unknown) => this.fail(error));
      return;
    }
    this.cancelStall?.();
    this.storing = this.storing.then(async () => {
      if (this.ended) return;
      await this.acknowledge();
      this.outcome.resolve({ kind: 'finished', digest: end });
    });
    this.storing.catch((error: unknown) => this.fail(error));
  }

  private async acknowledge(): Promise<void> {
    this.acknowledged = this.durable;
    await this.link.acknowledge(this.durable, this.sequence);
  }

  /** Restarts the stream after the last received chunk, once it is durable. A new request ends the old stream. */
  private restart(reason: Interruption): void {
    this.cancelStall?.();
    this.interrupted = true;
    this.storing = this.storing.then(() => {
      this.outcome.resolve({ kind: 'interrupted', nextChunk: this.durable, reason });
    });
    this.storing.catch((error: unknown) => this.fail(error));
  }

  private fail(error: unknown): void {
    this.ended = true;
    this.cancelStall?.();
    this.outcome.reject(error);
  }

  /** Silence counts only while the recorder has to send, not while chunks are being stored. */
  private watchForStall(): void {
    this.cancelStall?.();
    if (this.ended || this.interrupted || this.durable < this.expected) return;
    this.cancelStall = this.clock.after(STREAM_SILENCE_MS, () => this.restart('stream_silent'));
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

/**
 * Reading one session: a windowed stream of chunks, handed on one at a time, acknowledged once
 * durable, restarted at the first missing chunk when one was damaged on the way.
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
  /** A chunk is missing, or nothing comes; `nextChunk` is where to go on. */
  | {
      readonly kind: 'interrupted';
      readonly nextChunk: number;
      readonly by: Interruption;
    };

/** @throws {DeviceError}, or whatever `onChunk` rejects with */
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
    if (restarts > STREAM_RESTARTS) throw new DeviceError(outcome.by);
    nextChunk = outcome.nextChunk;
    onStart = undefined;
  }
}

/** One stream from its request to its end. */
class StreamPass {
  private expected: number;
  private durable: number;
  private acknowledged: number;
  private sequence = -1;
  private lastWasShort = false;
  /** Chunks that came and are not being made durable yet, from `durable` on. */
  private readonly arrived: Uint8Array[] = [];
  /** Chunks being made durable, strictly one after the other. */
  private storing: Promise<void> = Promise.resolve();
  private readonly early: AnyStream[] = [];
  private started = false;
  /** A chunk is missing: nothing more is taken, while those that came are still stored and acknowledged. */
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
    const stopListening = this.link.onStream((part, sequence) => this.received(part, sequence));
    const stopWatching = this.link.onClosed(() => this.fail(new DeviceError('link_lost')));
    // The outcome may fail before anybody awaits it below.
    this.outcome.promise.catch(() => undefined);
    try {
      const { chunksAtOnce = 1 } = this.options;
      // Twice as many as are stored together: the others come meanwhile.
      const window = Math.max(STREAM_WINDOW_CHUNKS, 2 * chunksAtOnce);
      const request = { sessionId, fromChunk: this.expected, window };
      const response = await this.link.request('syncFile', request, (sequence) => {
        this.sequence = sequence;
      });
      onStart?.(response);
      this.started = true;
      this.watchForStall();
      for (const part of this.early.splice(0)) this.take(part);
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
      // A chunk that is being stored is still the caller's: wait, so that nothing runs on behind it.
      await this.storing.catch(() => undefined);
    }
  }

  /** Tells the recorder to stop, when the stream runs and the link can still tell it. */
  private async stopRecorder(reason: unknown): Promise<void> {
    if (!this.started || (reason instanceof DeviceError && reason.code === 'link_lost')) return;
    await this.link.request('syncStop', {}).catch((error: unknown) => {
      // The transfer already failed for `reason`, which the caller hears; a recorder that cannot be
      // told stops by itself at the end of the window.
      if (!(error instanceof DeviceError)) throw error;
    });
  }

  private received(part: AnyStream, sequence: number): void {
    if (sequence !== this.sequence || this.ended) return;
    if (this.started) this.take(part);
    else this.early.push(part);
  }

  private take(part: AnyStream): void {
    if (this.ended || this.interrupted) return;
    this.watchForStall();
    if (part.name === 'chunk') this.takeChunk(part.value.chunkIndex, part.value.data);
    if (part.name === 'end') this.takeEnd(part.value);
  }

  private takeChunk(index: number, data: Uint8Array): void {
    if (index < this.expected) return;
    if (index > this.expected) {
      this.restart('reply_malformed');
      return;
    }
    const sound = data.length > 0 && data.length <= CHUNK_SIZE && data.length % PACKET_SIZE === 0;
    if (!sound || this.lastWasShort) {
      this.fail(new DeviceError('reply_malformed'));
      return;
    }
    this.lastWasShort = data.length < CHUNK_SIZE;
    this.expected += 1;
    this.arrived.push(data);
    this.storing = this.storing.then(() => this.store());
    this.storing.catch((error: unknown) => this.fail(error));
  }

  /** Makes the next chunks durable; does nothing where an earlier call took them along. */
  private async store(): Promise<void> {
    if (this.ended || this.arrived.length === 0) return;
    const together = this.arrived.splice(0, this.options.chunksAtOnce ?? 1);
    await this.options.onChunk(this.durable, joined(together));
    this.durable += together.length;
    this.watchForStall();
    if (this.durable - this.acknowledged >= ACKNOWLEDGE_EVERY_CHUNKS) await this.acknowledge();
  }

  private takeEnd(end: SessionDigest): void {
    const chunks = Math.ceil(end.fileSize / CHUNK_SIZE);
    if (chunks > this.expected) {
      this.restart('length_differs');
      return;
    }
    if (chunks < this.expected) {
      this.cancelStall?.();
      // What came is kept all the same.
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

  /** Goes on behind what was received once that is durable. A new request ends the old stream. */
  private restart(by: Interruption): void {
    this.cancelStall?.();
    this.interrupted = true;
    this.storing = this.storing.then(() => {
      this.outcome.resolve({ kind: 'interrupted', nextChunk: this.durable, by });
    });
    this.storing.catch((error: unknown) => this.fail(error));
  }

  private fail(error: unknown): void {
    this.ended = true;
    this.cancelStall?.();
    this.outcome.reject(error);
  }

  /** Silence counts only while it is the recorder's turn, not while we store. */
  private watchForStall(): void {
    this.cancelStall?.();
    if (this.ended || this.interrupted || this.durable < this.expected) return;
    this.cancelStall = this.clock.after(STREAM_SILENCE_MS, () => this.restart('stream_silent'));
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(0)] = parts;
  if (parts.length <= 1) return first;
  const whole = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A session on its way to the phone: chunks from the flash, as far ahead as the window allows. */
import { encodeStream } from '@linnet/device/codec';
import { CHUNK_SIZE } from '../device-types.ts';
import type { Recorder } from '../recorder.ts';

/** Chunks read from the flash at once. */
const READ_AHEAD = 32;

type Reading = 'idle' | 'reading' | 'failed';

export class SessionStream {
  readonly sessionId: number;
  readonly sequence: number;
  private readonly recorder: Recorder;
  private readonly window: number;
  private readonly wake: () => void;
  private readonly ready: Uint8Array[] = [];
  private nextChunk: number;
  private acknowledged: number;
  private readOffset: number;
  private reading: Reading = 'idle';
  private ended = false;

  constructor(
    recorder: Recorder,
    request: { sessionId: number; fromChunk: number; window: number },
    sequence: number,
    wake: () => void,
  ) {
    this.recorder = recorder;
    this.sessionId = request.sessionId;
    this.window = Math.max(1, request.window);
    this.sequence = sequence;
    this.wake = wake;
    this.nextChunk = request.fromChunk;
    this.acknowledged = request.fromChunk;
    this.readOffset = request.fromChunk * CHUNK_SIZE;
  }

  /** Whether there is more to come. */
  get isOpen(): boolean {
    return !this.ended;
  }

  acknowledge(nextChunk: number): void {
    const acknowledged = Math.max(this.acknowledged, Math.min(nextChunk, this.nextChunk));
    this.recorder.transferred((acknowledged - this.acknowledged) * CHUNK_SIZE);
    this.acknowledged = acknowledged;
    this.wake();
  }

  /** The next frame, if the window, the flash and the recording allow one now. */
  next(): Uint8Array | undefined {
    if (this.ended) return undefined;
    this.readAhead();
    if (this.nextChunk - this.acknowledged >= this.window) return undefined;
    const data = this.ready.shift();
    if (data) {
      const frame = encodeStream('chunk', { chunkIndex: this.nextChunk, data }, this.sequence);
      this.nextChunk += 1;
      return frame;
    }
    const { durable } = this;
    if (!durable || this.reading === 'failed') {
      this.ended = true;
      return undefined;
    }
    if (durable.sha256 === undefined || this.readOffset < durable.size) return undefined;
    this.ended = true;
    const sha256 = Uint8Array.from(Buffer.from(durable.sha256, 'hex'));
    const fileSize = this.recorder.sessions.toldSize(this.sessionId);
    return encodeStream('end', { fileSize, sha256 }, this.sequence);
  }

  private get durable() {
    return this.recorder.sessions.durable(this.sessionId);
  }

  /** Reads whole chunks; the short one at the end only when the session is closed. */
  private readAhead(): void {
    if (this.reading !== 'idle' || this.ready.length >= READ_AHEAD / 2) return;
    const { durable } = this;
    if (!durable) return;
    const whole = durable.size - (durable.size % CHUNK_SIZE);
    const end = durable.sha256 === undefined ? whole : durable.size;
    const length = Math.min(end - this.readOffset, READ_AHEAD * CHUNK_SIZE);
    if (length <= 0) return;
    this.reading = 'reading';
    this.recorder.flash.read(this.sessionId, this.readOffset, length).then(
      (bytes) => {
        for (let at = 0; at < bytes.length; at += CHUNK_SIZE) {
          this.ready.push(bytes.subarray(at, at + CHUNK_SIZE));
        }
        this.readOffset += bytes.length;
        this.reading = 'idle';
        this.wake();
      },
      (error: unknown) => {
        // A session deleted under way ends its stream; anything else is worth a line.
        if (this.durable) console.error('flash cannot be read', error);
        this.reading = 'failed';
        this.wake();
      },
    );
  }
}

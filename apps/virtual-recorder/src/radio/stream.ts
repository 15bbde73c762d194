/** Streams a session to the phone: reads chunks from the flash and sends them within the flow-control window. */
import { encodeStream } from '@linnet/device/codec';
import { CHUNK_SIZE } from '../device-types.ts';
import type { Recorder } from '../recorder.ts';

/** The maximum number of chunks per flash read. */
const READ_AHEAD_CHUNKS = 32;

type ReadState = 'idle' | 'reading' | 'failed';

export class SessionStream {
  readonly sessionId: number;
  readonly sequence: number;
  private readonly recorder: Recorder;
  private readonly window: number;
  private readonly wake: () => void;
  private readonly readyChunks: Uint8Array[] = [];
  private nextChunk: number;
  private acknowledged: number;
  private readOffset: number;
  private reading: ReadState = 'idle';
  private hasEnded = false;

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

  /** Whether the stream has more frames to send. */
  get isOpen(): boolean {
    return !this.hasEnded;
  }

  acknowledge(nextChunk: number): void {
    const acknowledged = Math.max(this.acknowledged, Math.min(nextChunk, this.nextChunk));
    this.recorder.countTransferred((acknowledged - this.acknowledged) * CHUNK_SIZE);
    this.acknowledged = acknowledged;
    this.wake();
  }

  /**
   * Returns the next frame, or undefined if the stream has ended, the window is full, or no further data is available
   * yet.
   */
  next(): Uint8Array | undefined {
    if (this.hasEnded) return undefined;
    this.readAhead();
    if (this.nextChunk - this.acknowledged >= this.window) return undefined;
    const data = this.readyChunks.shift();
    if (data) {
      const frame = encodeStream('chunk', { chunkIndex: this.nextChunk, data }, this.sequence);
      this.nextChunk += 1;
      return frame;
    }
    const { durable } = this;
    if (!durable || this.reading === 'failed') {
      this.hasEnded = true;
      return undefined;
    }
    if (durable.sha256 === undefined || this.readOffset < durable.size) return undefined;
    this.hasEnded = true;
    const sha256 = Uint8Array.from(Buffer.from(durable.sha256, 'hex'));
    const fileSize = this.recorder.sessions.reportedSize(this.sessionId);
    return encodeStream('end', { fileSize, sha256 }, this.sequence);
  }

  private get durable() {
    return this.recorder.sessions.durablePart(this.sessionId);
  }

  /** Reads complete chunks. The short last chunk is read only after the session is closed. */
  private readAhead(): void {
    if (this.reading !== 'idle' || this.readyChunks.length >= READ_AHEAD_CHUNKS / 2) return;
    const { durable } = this;
    if (!durable) return;
    const completeBytes = durable.size - (durable.size % CHUNK_SIZE);
    const end = durable.sha256 === undefined ? completeBytes : durable.size;
    const length = Math.min(end - this.readOffset, READ_AHEAD_CHUNKS * CHUNK_SIZE);
    if (length <= 0) return;
    this.reading = 'reading';
    this.recorder.flash.read(this.sessionId, this.readOffset, length).then(
      (bytes) => {
        for (let offset = 0; offset < bytes.length; offset += CHUNK_SIZE) {
          this.readyChunks.push(bytes.subarray(offset, offset + CHUNK_SIZE));
        }
        this.readOffset += bytes.length;
        this.reading = 'idle';
        this.wake();
      },
      (error: unknown) => {
        // Don't log the error if the session was deleted during the transfer.
        if (this.durable) console.error('failed to read the flash', error);
        this.reading = 'failed';
        this.wake();
      },
    );
  }
}

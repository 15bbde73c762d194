/** A frame link over Wi-Fi, paced by the air model. */
import type { FrameLink } from '../radio/radio.ts';
import type { Air } from './air.ts';

/** The subset of the WebSocket interface used by the link. */
export interface Socket {
  readonly bufferedAmount: number;
  send(bytes: Uint8Array, sent: () => void): void;
  terminate(): void;
}

/** Pause sending when this many bytes are buffered in the socket. */
const MAX_BACKLOG = 256 * 1024;

/** Maximum air time of the frames queued ahead of a response, in milliseconds of recorder time. */
const MAX_AHEAD_MS = 26;

/** The maximum payload size in a handshake (u16). Socket messages have no such limit. */
const PAYLOAD = 0xffff;

export class WifiLink implements FrameLink {
  readonly medium = 'wifi';
  readonly payload = PAYLOAD;
  source: () => Uint8Array | undefined = () => undefined;
  onWrite: (bytes: Uint8Array) => void = () => {};
  private readonly socket: Socket;
  private readonly onBytes: (bytes: number) => number;
  private readonly air: Air;
  private isClosed = false;
  /** Cancels the pending air callback. */
  private cancelWait: (() => void) | undefined;

  /** @param onBytes called with each frame's length; returns how much of the frame can be sent */
  constructor(socket: Socket, air: Air, onBytes: (bytes: number) => number) {
    this.socket = socket;
    this.air = air;
    this.onBytes = onBytes;
  }

  send(frame: Uint8Array): void {
    if (this.isClosed) return;
    this.air.queue(frame.length);
    if (this.onBytes(frame.length) < frame.length) this.disconnect();
    else this.socket.send(frame, () => this.wake());
  }

  wake(): void {
    while (!this.isClosed && !this.cancelWait && this.socket.bufferedAmount < MAX_BACKLOG) {
      if (this.air.busyMs > MAX_AHEAD_MS) {
        this.cancelWait = this.air.afterQueue(() => {
          this.cancelWait = undefined;
          this.wake();
        });
        return;
      }
      const frame = this.source();
      if (!frame) return;
      this.send(frame);
    }
  }

  close(): void {
    this.isClosed = true;
    this.cancelWait?.();
  }

  disconnect(): void {
    this.close();
    this.socket.terminate();
  }
}

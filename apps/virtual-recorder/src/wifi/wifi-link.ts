/** The recorder's protocol over WiFi: frames leave as fast as the network takes them. */
import type { FrameLink } from '../radio/radio.ts';

/** What of a socket it needs. */
export interface Socket {
  readonly bufferedAmount: number;
  send(bytes: Uint8Array, sent: () => void): void;
  terminate(): void;
}

/** Bytes handed over that did not leave yet: more waits until some did. */
const MAX_BACKLOG = 256 * 1024;

/** The largest payload that the handshake names (u16). A message of a socket has no such bound. */
const PAYLOAD = 0xffff;

export class WifiLink implements FrameLink {
  readonly medium = 'wifi';
  readonly payload = PAYLOAD;
  source: () => Uint8Array | undefined = () => undefined;
  onWrite: (bytes: Uint8Array) => void = () => {};
  private readonly socket: Socket;
  private readonly onBytes: (bytes: number) => number;
  private isClosed = false;

  /** @param onBytes told the length of each frame; returns how much of it leaves before the network goes */
  constructor(socket: Socket, onBytes: (bytes: number) => number) {
    this.socket = socket;
    this.onBytes = onBytes;
  }

  send(frame: Uint8Array): void {
    if (this.isClosed) return;
    if (this.onBytes(frame.length) < frame.length) this.disconnect();
    else this.socket.send(frame, () => this.wake());
  }

  wake(): void {
    while (!this.isClosed && this.socket.bufferedAmount < MAX_BACKLOG) {
      const frame = this.source();
      if (!frame) return;
      this.send(frame);
    }
  }

  close(): void {
    this.isClosed = true;
  }

  disconnect(): void {
    this.close();
    this.socket.terminate();
  }
}

/** The air between the emulated adapter and the virtual recorder: its WebSocket radio. */
import WebSocket from 'ws';

const CONNECT_TIMEOUT_MS = 5000;

export class RadioLink {
  private readonly socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.socket = socket;
  }

  /** Rejects when the recorder does not take the connection. */
  static open(
    url: string,
    on: { notification: (bytes: Buffer) => void; closed: () => void },
  ): Promise<RadioLink> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, { handshakeTimeout: CONNECT_TIMEOUT_MS });
      let greeted = false;
      socket.on('error', reject);
      socket.on('close', (code) => {
        if (greeted) on.closed();
        else reject(new Error(`the recorder closed with ${code}`));
      });
      socket.on('message', (data: Buffer, isBinary) => {
        if (isBinary) {
          on.notification(data);
        } else if (!greeted) {
          greeted = true;
          resolve(new RadioLink(socket));
        }
      });
    });
  }

  write(bytes: Uint8Array): void {
    this.socket.send(bytes);
  }

  /** Stops reading, so that the recorder's radio stalls instead of a queue growing here. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  close(): void {
    this.socket.terminate();
  }
}

/** Connection between the emulated adapter and the virtual recorder's WebSocket radio. */
import WebSocket from 'ws';

const CONNECT_TIMEOUT_MS = 5000;

export class RadioLink {
  private readonly socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.socket = socket;
  }

  /** Rejects when the recorder refuses the connection. */
  static open(
    url: string,
    on: { notification: (bytes: Buffer) => void; closed: () => void },
  ): Promise<RadioLink> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, { handshakeTimeout: CONNECT_TIMEOUT_MS });
      let isConnected = false;
      socket.on('error', reject);
      socket.on('close', (code) => {
        if (isConnected) on.closed();
        else reject(new Error(`the recorder closed the connection with ${code}`));
      });
      socket.on('message', (data: Buffer, isBinary) => {
        if (isBinary) {
          on.notification(data);
        } else if (!isConnected) {
          isConnected = true;
          resolve(new RadioLink(socket));
        }
      });
    });
  }

  write(bytes: Uint8Array): void {
    this.socket.send(bytes);
  }

  /** Stops reading, so that the recorder's radio stalls instead of filling a queue here. */
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

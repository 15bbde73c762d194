/** The connection between the emulated adapter and the WebSocket radio of the virtual recorder. */
import WebSocket from 'ws';

const CONNECT_TIMEOUT_MS = 5000;

export class RadioLink {
  private readonly socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.socket = socket;
  }

  /** Opens a connection. Rejects if the recorder refuses it. */
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
        else reject(new Error(`the recorder closed the connection with code ${code}`));
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

  /** Stops reading, so that the recorder's radio stalls instead of filling a queue in this process. */
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

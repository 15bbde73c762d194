import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** A radio without a recorder, for tests that send and receive raw bytes. */
export class BareRadio {
  private readonly server: Server;
  private readonly sockets = new WebSocketServer({ noServer: true });
  private socket: WebSocket | undefined;
  private received: number[] = [];
  private waiters: (() => void)[] = [];

  constructor() {
    this.server = createServer((_, response) =>
      response.end(JSON.stringify({ name: 'Bare', mac: '02:00:00:00:00:99', rssi: -40 })),
    );
    this.server.on('upgrade', (request, stream, head) =>
      this.sockets.handleUpgrade(request, stream, head, (socket) => this.accept(socket)),
    );
  }

  private accept(socket: WebSocket): void {
    this.socket = socket;
    this.received = [];
    socket.on('message', (data: Buffer) => {
      this.received.push(...data);
      for (const wake of this.waiters.splice(0)) wake();
    });
    socket.send('{"connected":true}');
  }

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async take(count: number): Promise<number[]> {
    while (this.received.length < count) {
      await new Promise<void>((resolve) => this.waiters.push(resolve));
    }
    return this.received.splice(0, count);
  }

  send(notifications: number[][]): void {
    for (const bytes of notifications) this.socket?.send(Uint8Array.from(bytes));
  }

  async stop(): Promise<void> {
    for (const client of this.sockets.clients) client.terminate();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A received request. */
export interface ReceivedRequest {
  /** The ID of the message. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bytes: Uint8Array;
}

/** Responds to a request: returns a status, or writes the response itself. */
export type Respond = (
  received: ReceivedRequest,
  response: ServerResponse,
  request: IncomingMessage,
) => number | null;

/** A real HTTP server on loopback that receives webhooks, or push messages like a push service. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedRequest[];
  /** Handles requests. The function returns null if it has written the response or sends none. */
  respond: Respond;
  close(): Promise<void>;
}

/** @param tls key and certificate for HTTPS */
export async function startReceiver(tls?: { key: string; cert: string }): Promise<Receiver> {
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const bytes = await buffer(request);
    const body = bytes.toString();
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const received = { id: headers['webhook-id'] ?? '', headers, body, bytes };
    receiver.received.push(received);
    const status = receiver.respond(received, response, request);
    if (status !== null) response.writeHead(status).end();
  };
  const server = tls ? createTlsServer(tls, handle) : createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    port,
    received: [],
    respond: () => 204,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  createServer as createTlsServer,
  type TLSSocket,
  type Server as TlsServer,
} from 'node:tls';
import { selfSigned } from '@linnet/server/testing/certificate';

/** A push subscription requested by the browser. */
type Registration = {
  /** The app ID and service worker registration that the browser delivers a message to. */
  readonly category: string;
  readonly subtype: string;
  /** The server's key. */
  readonly sender: string;
};

/** A message posted by the server. */
export type PostedMessage = {
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
};

/** Tags of messages between the browser and the push service (Chromium: google_apis/gcm/protocol/mcs.proto). */
const LOGIN_RESPONSE = 3;
const DATA_MESSAGE = 8;
const MCS_VERSION = 41;

/** Encodes protocol buffers. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let remaining = BigInt(value);
  do {
    const lowBits = Number(remaining & 127n);
    remaining >>= 7n;
    bytes.push(remaining > 0n ? lowBits | 128 : lowBits);
  } while (remaining > 0n);
  return Buffer.from(bytes);
}
const integer = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)]);
function fixed64(field: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([varint(field * 8 + 1), bytes]);
}
function encodeBytes(field: number, value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);
}
const frame = (tag: number, ...fields: Buffer[]) => {
  const body = Buffer.concat(fields);
  return Buffer.concat([Buffer.from([tag]), varint(body.length), body]);
};
const appData = (key: string, value: string) =>
  encodeBytes(7, Buffer.concat([encodeBytes(1, key), encodeBytes(2, value)]));

/**
 * A stand-in for Chromium's push service, on loopback. It registers browsers, keeps a connection to each, and forwards
 * Web Push messages (RFC 8030) unread. Only the browser can decrypt them.
 */
export class PushService {
  readonly posted: PostedMessage[] = [];
  /** The origin that messages are posted to, instead of Google's. */
  readonly origin: string;
  readonly #web: Server;
  readonly #mcs: TlsServer;
  readonly #mcsPort: number;

  private constructor(web: Server, mcs: TlsServer) {
    this.#web = web;
    this.#mcs = mcs;
    this.origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    this.#mcsPort = (mcs.address() as AddressInfo).port;
  }

  /** Flags that make Chromium use this service. */
  get flags(): readonly string[] {
    return [
      `--gcm-checkin-url=${this.origin}/checkin`,
      `--gcm-registration-url=${this.origin}/register`,
      `--gcm-mcs-endpoint=https://localhost:${this.#mcsPort}`,
      // The certificate is self-signed.
      '--ignore-certificate-errors',
    ];
  }

  static async start(): Promise<PushService> {
    const registrations = new Map<string, Registration>();
    const sockets = new Set<TLSSocket>();
    const mcs = createTlsServer(selfSigned('localhost'), (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      // The browser closes its connection without notice.
      socket.on('error', () => sockets.delete(socket));
      socket.once('data', () => {
        const response = frame(LOGIN_RESPONSE, encodeBytes(1, 'login'), integer(8, Date.now()));
        socket.write(Buffer.concat([Buffer.from([MCS_VERSION]), response]));
      });
    });
    const handle = async (request: IncomingMessage, response: ServerResponse) => {
      const body = await buffer(request);
      const { pathname } = new URL(request.url ?? '', 'http://service');
      if (pathname === '/checkin') {
        const checkIn = [integer(1, 1), integer(3, Date.now()), fixed64(7, 1n), fixed64(8, 2n)];
        response.setHeader('content-type', 'application/x-protobuf').end(Buffer.concat(checkIn));
      } else if (pathname === '/register') {
        const form = new URLSearchParams(body.toString());
        const token = `token-${registrations.size}`;
        registrations.set(token, {
          category: form.get('app') ?? '',
          subtype: form.get('X-subtype') ?? '',
          sender: form.get('sender') ?? '',
        });
        response.end(`token=${token}`);
      } else {
        const registration = registrations.get(pathname.split('/').at(-1) ?? '');
        if (!registration) return response.writeHead(404).end();
        const id = `message-${service.posted.length}`;
        const message = frame(
          DATA_MESSAGE,
          ...[
            encodeBytes(2, id),
            encodeBytes(3, registration.sender),
            encodeBytes(5, registration.category),
          ],
          appData('subtype', registration.subtype),
          appData('content-encoding', String(request.headers['content-encoding'])),
          ...[encodeBytes(9, id), integer(17, 3600), encodeBytes(21, body)],
        );
        for (const socket of sockets) socket.write(message);
        service.posted.push({ headers: request.headers, body });
        response.writeHead(201).end();
      }
      return response;
    };
    const web = createServer(handle);
    for (const server of [web, mcs]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }
    const service = new PushService(web, mcs);
    return service;
  }

  /** Stops the service. Close the browser first. */
  async stop(): Promise<void> {
    this.#web.closeAllConnections();
    for (const server of [this.#web, this.#mcs]) {
      await new Promise((resolve) => server.close(resolve));
    }
  }
}

/**
 * The recorder's HTTP service (PROTOCOL.md, section 10). Under version 1, it serves sessions, including byte ranges, to
 * clients with the token. Under version 2, it only accepts a single link from a phone with the secret.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { wifiProof } from '@linnet/device/channel';
import { WIFI_CLOSE, WIFI_PROTOCOL, WIFI_PROTOCOL_2 } from '@linnet/transports/wifi';
import { type WebSocket, WebSocketServer } from 'ws';
import { refuseUpgrade } from '../control/origin.ts';
import type { Viewer } from '../ownership.ts';
import { Peripheral } from '../radio/peripheral.ts';
import type { Recorder } from '../recorder.ts';
import { Air } from './air.ts';
import { WifiLink } from './wifi-link.ts';

/** Number of bytes per write, which take 26 ms of air time. */
const SLICE_BYTES = 64 * 1024;
/** Timeout for a phone to prove that it knows the secret, in milliseconds (PROTOCOL.md, section 4). */
const PROOF_MS = 10_000;
/** Virtual recorders accept only local connections. */
export const LOOPBACK = '127.0.0.1';

export type SessionsServer = {
  readonly port: number;
  /** Aborts open connections, as losing the network does. */
  stop(): Promise<void>;
};

export type ServerHooks = {
  /** Whether the network is reachable; a hotspot is reachable only after a device has joined. */
  readonly isReachable: () => boolean;
  /**
   * Called before session bytes are sent.
   * @returns how many of these bytes can be sent before the network stops
   */
  readonly onBytes: (bytes: number) => number;
  /** Called with the number of open connections whenever it changes. */
  readonly onConnections: (open: number) => void;
  /** The phone has finished its transfers. */
  readonly onDone: () => void;
  /** The version 2 link has opened. */
  readonly onLink: () => void;
  /** The version 2 link has closed. No further link is accepted. */
  readonly onLinkEnd: () => void;
};

/** An access grant: the credential and the sessions that it covers. */
export type Grant =
  /** The token in hex. */
  | { readonly version: 1; readonly token: string; readonly viewer: Viewer }
  | { readonly version: 2; readonly secret: Uint8Array };

export async function serveSessions(
  recorder: Recorder,
  grant: Grant,
  hooks: ServerHooks,
): Promise<SessionsServer> {
  const air = new Air(recorder.clock);
  const server = createServer((request, response) => {
    respond({ recorder, air, hooks }, grant, request, response).catch((error: unknown) => {
      // A destroyed response means that the connection or the network was lost.
      if (!response.destroyed) console.error(`${request.method} ${request.url}`, error);
      response.destroy();
    });
  });
  let openConnections = 0;
  server.on('connection', (socket) => {
    // Devices that haven't joined can't reach the host, so reset their connections instead of closing them.
    if (!hooks.isReachable()) return socket.resetAndDestroy();
    hooks.onConnections(++openConnections);
    socket.once('close', () => hooks.onConnections(--openConnections));
  });
  const protocol = grant.version === 2 ? WIFI_PROTOCOL_2 : WIFI_PROTOCOL;
  const links = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => [protocol].find((each) => offered.has(each)) ?? false,
  });
  const secretState = { isUsed: false };
  server.on('upgrade', (request, socket, head) => {
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(/,\s*/);
    if (grant.version === 2) {
      if (request.url !== '/link') return refuseUpgrade(socket, 403);
      if (!offered.includes(WIFI_PROTOCOL_2)) return refuseUpgrade(socket, 401);
      links.handleUpgrade(request, socket, head, (socket) =>
        challengePhone({ recorder, air, hooks, secretState: secretState }, grant.secret, socket),
      );
      return;
    }
    if (request.url !== '/link') return refuseUpgrade(socket, 404);
    if (!areEqual(offered[1] ?? '', grant.token)) return refuseUpgrade(socket, 401);
    links.handleUpgrade(request, socket, head, (accepted) => {
      // `close` follows `error` and does the cleanup.
      accepted.on('error', () => undefined);
      connect({ recorder, air, hooks }, accepted);
    });
  });
  const port = await listen(server);
  return {
    port,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const link of links.clients) link.terminate();
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => resolve((server.address() as AddressInfo).port));
  });
}

function isGranted(request: IncomingMessage, token: string): boolean {
  return areEqual(request.headers.authorization ?? '', `Bearer ${token}`);
}

function areEqual(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Tracks whether the single-use secret has opened a link. */
type SecretState = { isUsed: boolean };

/** Challenges a phone for proof of the secret and accepts only the first valid proof. */
function challengePhone(
  links: Service & { readonly secretState: SecretState },
  secret: Uint8Array,
  socket: WebSocket,
) {
  const { recorder, hooks, secretState } = links;
  // `close` follows `error` and does the cleanup.
  socket.on('error', () => undefined);
  if (secretState.isUsed) return socket.close(WIFI_CLOSE.used);
  const challengeBytes = randomBytes(32);
  const cancel = recorder.phoneTime.after(PROOF_MS, () => socket.close(WIFI_CLOSE.late));
  socket.once('close', cancel);
  socket.once('message', (data: Buffer, isBinary) => {
    cancel();
    const proof = Buffer.from(wifiProof(secret, challengeBytes)).toString('hex');
    if (secretState.isUsed) return socket.close(WIFI_CLOSE.used);
    if (isBinary || !areEqual(data.toString(), proof)) return socket.close(WIFI_CLOSE.refused);
    secretState.isUsed = true;
    hooks.onLink();
    socket.once('close', hooks.onLinkEnd);
    connect(links, socket);
  });
  socket.send(JSON.stringify({ challenge: challengeBytes.toString('hex') }));
}

/** Runs the recorder's protocol over a socket. */
function connect({ recorder, air, hooks }: Service, socket: WebSocket): void {
  const link = new WifiLink(socket, air, hooks.onBytes);
  const peripheral = new Peripheral(recorder, link);
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) link.onWrite(new Uint8Array(data));
  });
  socket.on('close', () => peripheral.close());
  socket.send(JSON.stringify({ connected: true }));
}

type Service = { readonly recorder: Recorder; readonly air: Air; readonly hooks: ServerHooks };

async function respond(
  service: Service,
  grant: Grant,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { recorder, hooks } = service;
  // The token authorizes access, so any origin is allowed.
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Range, If-Range');
  response.setHeader('Access-Control-Expose-Headers', 'Content-Range, ETag');
  response.setHeader('Cache-Control', 'no-store');
  const end = (status: number) => {
    response.statusCode = status;
    response.end();
  };
  if (request.method === 'OPTIONS') return end(204);
  // Version 2 serves no unencrypted data.
  if (grant.version === 2) return end(403);
  const { token, viewer } = grant;
  if (!isGranted(request, token)) return end(401);
  const { pathname } = new URL(request.url ?? '/', 'http://recorder');
  const sessionId = Number(/^\/sessions\/(\d+)$/.exec(pathname)?.[1] ?? Number.NaN);
  const route = `${request.method} ${Number.isNaN(sessionId) ? pathname : '/sessions/:id'}`;
  if (!Number.isNaN(sessionId) && !recorder.sessions.isVisible(sessionId, viewer)) return end(404);
  switch (route) {
    case 'GET /sessions': {
      const list = recorder.sessions.visibleTo(viewer).map(({ sessionId: id }) => {
        const { size = 0, sha256 = null } = recorder.sessions.durablePart(id) ?? {};
        return { sessionId: id, fileSize: size, sha256 };
      });
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(list));
      return;
    }
    case 'GET /sessions/:id':
      return sendSession(service, sessionId, request, response);
    case 'DELETE /sessions/:id': {
      const deleted = await recorder.sessions.delete(sessionId);
      if (deleted.ok) return end(204);
      return end(deleted.result === 'session_recording' ? 409 : 404);
    }
    case 'POST /done':
      end(204);
      hooks.onDone();
      return;
    default:
      return end(404);
  }
}

async function sendSession(
  service: Service,
  sessionId: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const durable = service.recorder.sessions.durablePart(sessionId);
  if (!durable) {
    response.statusCode = 404;
    response.end();
    return;
  }
  const etag = `"${durable.sha256 ?? ''}"`;
  const isStale = request.headers['if-range'] !== undefined && request.headers['if-range'] !== etag;
  const range = isStale ? undefined : request.headers.range;
  const part = parseRange(range, durable.size);
  if (durable.sha256 !== undefined) response.setHeader('ETag', etag);
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Content-Type', 'application/octet-stream');
  if (!part) {
    response.statusCode = 416;
    response.setHeader('Content-Range', `bytes */${durable.size}`);
    response.end();
    return;
  }
  const { from, to, isPart } = part;
  if (isPart) {
    response.statusCode = 206;
    response.setHeader('Content-Range', `bytes ${from}-${to - 1}/${durable.size}`);
  }
  response.setHeader('Content-Length', to - from);
  await pipeline(sessionBytes(service, sessionId, from, to), response);
}

type Part = { readonly from: number; readonly to: number; readonly isPart: boolean };

/**
 * Parses a `Range` header with a single range. Ignores any other header (RFC 9110, 14.2).
 * @returns null if the range starts beyond the end
 */
function parseRange(range: string | undefined, size: number): Part | null {
  const match = /^bytes=(\d+)-(\d*)$/.exec(range ?? '');
  if (!match) return { from: 0, to: size, isPart: false };
  const from = Number(match[1]);
  const to = match[2] ? Math.min(size, Number(match[2]) + 1) : size;
  return from < to ? { from, to, isPart: true } : null;
}

async function* sessionBytes(
  { recorder, air, hooks }: Service,
  sessionId: number,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  for (let offset = from; offset < to; ) {
    const bytes = await recorder.flash.read(sessionId, offset, Math.min(SLICE_BYTES, to - offset));
    await air.transmit(bytes.length);
    const sendable = hooks.onBytes(bytes.length);
    if (sendable > 0) yield bytes.subarray(0, sendable);
    if (sendable < bytes.length || bytes.length === 0) throw new Error('network stopped');
    offset += bytes.length;
  }
}

import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Timeouts for receiving a body. */
export interface BodyTimeouts {
  /** Timeout for a complete JSON body, in milliseconds. */
  readonly jsonMs: number;
  /**
   * Timeout in milliseconds for receiving the next `bytes` of any other body. The upload as a whole has no timeout,
   * because it may take hours.
   */
  readonly idleMs: number;
  readonly bytes: number;
}

/** Based on the app's own timeouts: 10 s for a call, and 60 s without a byte for a transfer (contract, limits). */
const defaultTimeouts: BodyTimeouts = { jsonMs: 30_000, idleMs: 60_000, bytes: 4096 };

/**
 * Closes connections whose body stalls. Otherwise, a client could hold a socket open forever by sending a byte now and
 * then (Slowloris). The limit also applies while the rest of a rejected body is drained.
 */
export function installBodyDeadlines(app: FastifyInstance, timeouts = defaultTimeouts): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    // Injected requests are already complete.
    if (hasBody(raw) && raw.socket instanceof Socket) watchBody(raw, timeouts);
    done();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function watchBody(request: IncomingMessage, { jsonMs, idleMs, bytes }: BodyTimeouts): void {
  const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
  const { socket } = request;
  let lastBytes = socket.bytesRead;
  const timer = setInterval(
    () => {
      // The body has fully arrived and is only waiting to be read.
      if (request.complete) return stop();
      if (!isJson && socket.bytesRead - lastBytes >= bytes) {
        lastBytes = socket.bytesRead;
        return;
      }
      stop();
      // This also destroys the socket.
      request.destroy();
    },
    isJson ? jsonMs : idleMs,
  ).unref();
  const stop = () => clearInterval(timer);
  for (const event of ['end', 'close'] as const) request.once(event, stop);
}

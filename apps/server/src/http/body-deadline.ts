import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Time limits for receiving a body. */
export interface BodyPatience {
  /** Milliseconds for a whole JSON body. */
  readonly jsonMs: number;
  /** Milliseconds within which any other body has to deliver `bytes`; the whole upload may take hours. */
  readonly idleMs: number;
  readonly bytes: number;
}

/** The app aborts a call after 10 s and a transfer after 60 s without a byte (contract, limits). */
const standard: BodyPatience = { jsonMs: 30_000, idleMs: 60_000, bytes: 4096 };

/**
 * Closes connections whose body stalls: an occasional byte would otherwise keep a socket open forever. The limit also
 * applies while the rest of a rejected body is drained.
 */
export function installBodyDeadlines(app: FastifyInstance, patience = standard): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    // Injected requests are already complete.
    if (hasBody(raw) && raw.socket instanceof Socket) watch(raw, patience);
    done();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function watch(request: IncomingMessage, { jsonMs, idleMs, bytes }: BodyPatience): void {
  const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
  const { socket } = request;
  let seen = socket.bytesRead;
  const timer = setInterval(
    () => {
      // The body has been received and waits to be read.
      if (request.complete) return stop();
      if (!isJson && socket.bytesRead - seen >= bytes) {
        seen = socket.bytesRead;
        return;
      }
      stop();
      // Also destroys the socket.
      request.destroy();
    },
    isJson ? jsonMs : idleMs,
  ).unref();
  const stop = () => clearInterval(timer);
  for (const event of ['end', 'close'] as const) request.once(event, stop);
}

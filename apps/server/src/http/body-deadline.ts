import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a body may take to arrive. */
export interface BodyPatience {
  /** Milliseconds for all of a JSON body. */
  readonly jsonMs: number;
  /** Milliseconds in which another body has to bring `bytes`; an upload itself may take hours. */
  readonly idleMs: number;
  readonly bytes: number;
}

/** The app gives a call up after 10 s and a transfer after 60 s without a byte (contract, limits). */
const standard: BodyPatience = { jsonMs: 30_000, idleMs: 60_000, bytes: 4096 };

/**
 * Closes connections whose body does not arrive: one byte now and then would keep a socket for ever. The limit
 * also holds while the rest of a refused body is read.
 */
export function installBodyDeadlines(app: FastifyInstance, patience = standard): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    // A request that was injected came whole.
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
      // All of it is here, and waits to be read.
      if (request.complete) return stop();
      if (!isJson && socket.bytesRead - seen >= bytes) {
        seen = socket.bytesRead;
        return;
      }
      stop();
      // Its socket with it.
      request.destroy();
    },
    isJson ? jsonMs : idleMs,
  ).unref();
  const stop = () => clearInterval(timer);
  for (const event of ['end', 'close'] as const) request.once(event, stop);
}

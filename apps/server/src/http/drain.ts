import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Maximum bytes to drain from a rejected upload. Without draining, the connection might be reset before the client has
 * read the response.
 */
const drainBytes = 4 * 1024 * 1024;

/**
 * Prepares to respond to a request whose body was only partially read. A short remainder is drained. If the remainder
 * is long, the connection is closed after the response.
 */
export async function drain(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const stream = request.raw;
  if (stream.readableEnded || stream.destroyed) return;
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > drainBytes) {
    reply.header('connection', 'close');
    return;
  }
  stream.unpipe();
  stream.resume();
  // If the client disconnects while the body is drained, it no longer expects a response, so this isn't an error.
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stream.once(event, () => resolve());
  });
}

import type { FastifyReply, FastifyRequest } from 'fastify';

/** What is still read of a refused upload, so that the client gets to see the refusal. */
const drainBytes = 4 * 1024 * 1024;

/**
 * Before an answer to a body that was not read to its end: takes in the rest of a short one; of a long
 * one, closes the connection after the answer.
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
  // A client that leaves meanwhile wants no answer any more: that is no failure.
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stream.once(event, () => resolve());
  });
}

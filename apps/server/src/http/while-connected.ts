import type { FastifyRequest } from 'fastify';

/** Runs an operation with a signal that is aborted when the client disconnects. */
export async function runWhileConnected<Result>(
  { raw: { socket } }: FastifyRequest,
  operation: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const connection = new AbortController();
  const onClose = () => connection.abort();
  if (socket.destroyed) onClose();
  else socket.once('close', onClose);
  try {
    return await operation(connection.signal);
  } finally {
    socket.off('close', onClose);
  }
}

import type { FastifyInstance } from 'fastify';

/**
 * Closes the connections of requests that are answered while the server is shutting down. Otherwise, clients would keep
 * the connections alive for more than a minute, and the server would wait for them.
 */
export function installClosing(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
}

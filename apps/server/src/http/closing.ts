import type { FastifyInstance } from 'fastify';

/**
 * Closes connections after responses during shutdown. Otherwise, clients would keep them alive for more than a minute,
 * and the server would wait for them.
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

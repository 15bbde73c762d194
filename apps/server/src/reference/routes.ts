import type { FastifyInstance } from 'fastify';
import { createApiDocument } from './document.ts';

/**
 * Serves the API reference as an OpenAPI document, which is built at the first request.
 * @param version the server's version
 */
export function referenceRoutes(app: FastifyInstance, version: string): void {
  let document: string | null = null;
  app.get('/api/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(createApiDocument(version));
    return reply.type('application/json').send(document);
  });
}

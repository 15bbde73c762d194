import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { createApiDocument } from './document.ts';

const documentPath = '/api/openapi.json';
const docsPath = '/api/docs';
/** The Swagger UI files that the page loads. */
const viewer = { style: 'swagger-ui.css', script: 'swagger-ui-bundle.js' };
const startScript = 'start.js';

/** The reference page. It has no inline scripts, because the content security policy forbids them. */
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Linnet API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${docsPath}/${viewer.style}">
<div id="reference"></div>
<script src="${docsPath}/${viewer.script}"></script>
<script src="${docsPath}/${startScript}"></script>
</html>
`;

// Without a validator, the page makes no requests to other servers.
const start = `SwaggerUIBundle({
  url: '${documentPath}',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
});
`;

/**
 * Serves the API reference, both as an OpenAPI document, which is built on the first request, and as a page.
 * @param version the server's version
 */
export async function referenceRoutes(app: FastifyInstance, version: string): Promise<void> {
  let document: string | null = null;
  app.get(documentPath, (_request, reply) => {
    document ??= JSON.stringify(createApiDocument(version));
    return reply.type('application/json').send(document);
  });
  app.get(docsPath, (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  app.get(`${docsPath}/${startScript}`, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(start),
  );
  const files = Object.values(viewer).map((file) => `/${file}`);
  await app.register(fastifyStatic, {
    root: path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui.css'))),
    prefix: `${docsPath}/`,
    index: false,
    decorateReply: false,
    allowedPath: (name) => files.includes(name),
  });
}

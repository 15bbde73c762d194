import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerError, isCallPath } from '../http/errors.ts';

const year = 31_536_000;

/**
 * Serves the built app. Files with a hash in their name are immutable and cached. The page and the service worker are
 * revalidated on every request. All routes of the app's router serve the page.
 * @param folder the build folder. Without a build, the pages explain that the app isn't built.
 */
export async function installAppFiles(app: FastifyInstance, folder: string): Promise<void> {
  const page = path.join(folder, 'index.html');
  if (existsSync(folder)) {
    await app.register(fastifyStatic, {
      root: folder,
      index: 'index.html',
      cacheControl: false,
      // The build creates a compressed copy of each file.
      preCompressed: true,
      setHeaders(reply, file) {
        const hashed = path.relative(folder, file).startsWith(`assets${path.sep}`);
        reply.header('cache-control', hashed ? `public, max-age=${year}, immutable` : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const { pathname } = new URL(request.url, 'http://server');
    if (isCallPath(pathname)) return answerError(reply, 'unknownCall');
    const isRouted = pathname === '/' || pathname.startsWith('/pages/');
    if (!isRouted || (request.method !== 'GET' && request.method !== 'HEAD')) {
      return reply.code(404).type('text/plain; charset=utf-8').send('Not found\n');
    }
    if (!existsSync(page)) {
      const text = 'The app is not built. Run npm start to build it.\n';
      return reply.code(503).type('text/plain; charset=utf-8').send(text);
    }
    return reply.sendFile('index.html');
  });
}

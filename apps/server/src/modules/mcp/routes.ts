/**
 * Serves the Model Context Protocol (MCP) over streamable HTTP, for AI assistants. Stateless: every request is
 * independent, so any API process can handle it.
 */
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { authenticateIn, bearerToken, type CallServices, getSubject } from '../../http/calls.ts';
import { CallError, defaultMessages } from '../../http/failure.ts';
import { keyLimit, mcpLane } from '../../http/gate.ts';
import { toWebRequest } from '../../http/web-request.ts';
import type { Caller } from '../user/access.ts';
import { createLibrary, type LibraryDependencies } from './library.ts';
import { createMcpServer } from './tools.ts';

export const mcpPath = '/mcp';

export interface McpDependencies extends LibraryDependencies, CallServices {
  readonly version: string;
}

export async function mcpRoutes(app: FastifyInstance, deps: McpDependencies): Promise<void> {
  const { gate, limiter, version } = deps;
  const callers = new WeakMap<FastifyRequest, Caller>();

  // MCP clients evaluate the HTTP status, not the code in Linnet's envelope.
  app.setErrorHandler((error: FastifyError | CallError, request, reply) => {
    const status = toHttpStatus(error);
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    if (status === 500) request.log.error({ err: error }, 'MCP request failed');
    const message = status === 500 ? defaultMessages.internal : error.message;
    return reply.code(status).send({ error: message });
  });

  async function serve(request: FastifyRequest, caller: Caller): Promise<Response> {
    const library = createLibrary(deps, caller.accountId);
    const canWrite = caller.scopes.includes('write');
    const handler = createMcpHandler(
      () => createMcpServer({ library, canWrite, version, log: request.log }),
      // Disable subscriptions: they would occupy the lane, and the server never publishes anything.
      {
        maxSubscriptions: 0,
        onerror: (error) => request.log.warn({ err: error }, 'MCP request rejected'),
      },
    );
    try {
      const response = await handler.fetch(toWebRequest(request, deps.getOrigin(request)), {
        parsedBody: request.body,
      });
      // Read the body before the handler closes its exchanges.
      return new Response(await response.text(), response);
    } finally {
      await handler.close();
    }
  }

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: mcpPath,
    // Authenticate before the body is read, so unauthenticated requests are cheap.
    async onRequest(request) {
      const token = bearerToken(request.headers.authorization);
      callers.set(request, await authenticateIn(deps, token, 'read'));
    },
    async handler(request, reply) {
      const caller = callers.get(request);
      if (!caller) throw new CallError('tokenInvalid');
      // Earlier versions of the protocol allow batches of up to a hundred calls, which would bypass the rate limits.
      if (Array.isArray(request.body))
        throw new CallError('badRequest', 'Batch requests are not supported.');
      const subject = getSubject(caller);
      const response = await gate.run(mcpLane, subject, async () => {
        await limiter.take(keyLimit, subject);
        return serve(request, caller);
      });
      reply.header('cache-control', 'no-store');
      for (const name of ['content-type', 'allow', 'mcp-protocol-version']) {
        const value = response.headers.get(name);
        if (value !== null) reply.header(name, value);
      }
      return reply.code(response.status).send(await response.text());
    },
  });
}

function toHttpStatus(error: FastifyError | CallError): number {
  if (!(error instanceof CallError)) return error.statusCode ?? 500;
  switch (error.reason) {
    case 'tokenInvalid':
    case 'tokenExpired':
      return 401;
    case 'keyNotAllowed':
      return 403;
    case 'tooManyRequests':
      return 429;
    case 'tooLarge':
      return 413;
    case 'badRequest':
      return 400;
    default:
      return 500;
  }
}

/**
 * Serves the Model Context Protocol over streamable HTTP, for assistants that read recordings. Every request is
 * independent, so that any API process can answer it.
 */
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerToken, type CallServices, subjectOf } from '../../http/calls.ts';
import { CallError } from '../../http/failure.ts';
import { identifyLane, keyLimit, mcpLane } from '../../http/gate.ts';
import { networkOf } from '../../http/network.ts';
import type { Caller } from '../user/access.ts';
import { createLibrary, type LibraryParts } from './library.ts';
import { createMcpServer } from './tools.ts';

export const mcpPath = '/mcp';

export interface McpParts extends LibraryParts, CallServices {
  readonly version: string;
}

export async function mcpRoutes(app: FastifyInstance, parts: McpParts): Promise<void> {
  const { gate, limiter, version } = parts;

  async function authenticate(request: FastifyRequest): Promise<Caller> {
    const token = bearerToken(request.headers.authorization);
    const subject = parts.accountOf(token) ?? networkOf(request.ip);
    return gate.run(identifyLane, subject, () => parts.authenticate(token, 'read'));
  }

  async function serve(request: FastifyRequest, caller: Caller): Promise<Response> {
    const handler = createMcpHandler(
      () =>
        createMcpServer(
          createLibrary(parts, caller.accountId),
          caller.scopes.includes('write'),
          version,
        ),
      // A subscription would occupy the key's lane, and nothing is published.
      { maxSubscriptions: 0, onerror: (error) => request.log.warn({ err: error }, 'MCP request') },
    );
    try {
      const response = await handler.fetch(toWebRequest(request, parts.originOf(request)), {
        parsedBody: request.body,
      });
      // Read the body before the handler ends its exchanges.
      return new Response(await response.text(), response);
    } finally {
      await handler.close();
    }
  }

  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store');
    try {
      const caller = await authenticate(request);
      const response = await gate.run(mcpLane, subjectOf(caller), async () => {
        await limiter.take(keyLimit, caller.keyId ?? caller.accountId);
        return serve(request, caller);
      });
      for (const name of ['content-type', 'allow', 'mcp-protocol-version']) {
        const value = response.headers.get(name);
        if (value !== null) reply.header(name, value);
      }
      return await reply.code(response.status).send(await response.text());
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // Clients of this protocol read the status, not the code of Linnet's envelope.
      const status = statusOf(error);
      if (status === 401) reply.header('www-authenticate', 'Bearer');
      return reply.code(status).send({ error: error.message });
    }
  };
  app.route({ method: ['GET', 'POST', 'DELETE'], url: mcpPath, handler: handle });
}

function statusOf({ reason }: CallError): number {
  if (reason === 'tooManyRequests') return 429;
  return reason === 'keyNotAllowed' ? 403 : 401;
}

/** Converts a request whose body is already parsed. */
function toWebRequest(request: FastifyRequest, origin: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers.set(name, value);
  }
  const { method, url } = request;
  return new Request(`${origin}${url}`, {
    method,
    headers,
    ...(method === 'POST' && { body: JSON.stringify(request.body) }),
  });
}

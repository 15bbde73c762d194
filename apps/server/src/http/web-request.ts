import type { FastifyRequest } from 'fastify';

/**
 * Converts a Fastify request to a web-standard request.
 * @param body omitted if it is already parsed
 */
export function toWebRequest(
  { method, url, headers: from }: FastifyRequest,
  origin: string,
  body: ReadableStream | null = null,
): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(from)) {
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request(`${origin}${url}`, { method, headers, body, duplex: 'half' });
}

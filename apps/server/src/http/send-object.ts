import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange, ObjectStore } from '../providers/storage/port.ts';

export interface ObjectToSend {
  readonly key: string;
  /** Size in bytes. */
  readonly size: number;
  /** Entity tag, including the quotes. */
  readonly etag: string;
  readonly cacheControl: string;
  readonly mediaType: string;
}

/** Sends an object or a range of it, or responds with 304 if the client's copy is current. */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  store: ObjectStore,
  { key, size, etag, cacheControl, mediaType }: ObjectToSend,
): Promise<FastifyReply> {
  reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('cache-control', cacheControl)
    .type(mediaType);
  if (hasCopy(request, etag)) return reply.code(304).send();
  const { 'if-range': ifRange } = request.headers;
  const requested = ifRange === undefined || ifRange === etag ? request.headers.range : undefined;
  const range = parseRange(requested, size);
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${size}`).send();
  }
  const length = range ? range.end - range.start + 1 : size;
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  reply.header('content-length', length);
  if (request.method === 'HEAD' || length === 0) return reply.send();
  return reply.send(await store.read(key, range ?? undefined));
}

/** Returns whether the client already has the version with this ETag (If-None-Match, RFC 9110, 13.1.2). */
export function hasCopy(request: FastifyRequest, etag: string): boolean {
  const etags = request.headers['if-none-match']?.split(',').map((tag) => tag.trim()) ?? [];
  return etags.includes('*') || etags.some((tag) => tag.replace(/^W\//, '') === etag);
}

/**
 * Parses a Range header (RFC 9110, 14) that contains a single byte range. Returns null if the header is missing, lists
 * several ranges or uses other units. In these cases, the entire object is sent.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const count = Math.min(Number(last), size);
    return count > 0 ? { start: size - count, end: size - 1 } : 'unsatisfiable';
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start < size ? { start, end } : 'unsatisfiable';
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange, ObjectStore } from '../providers/storage/port.ts';

export interface ObjectToSend {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** In its quotes. */
  readonly etag: string;
  readonly cacheControl: string;
  readonly mediaType: string;
}

/** Answers with an object or a part of it, or that the caller's copy is still good. */
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
  const asked = ifRange === undefined || ifRange === etag ? request.headers.range : undefined;
  const range = parseRange(asked, size);
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${size}`).send();
  }
  const length = range ? range.end - range.start + 1 : size;
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  reply.header('content-length', length);
  if (request.method === 'HEAD' || length === 0) return reply.send();
  return reply.send(await store.read(key, range ?? undefined));
}

/** Whether the caller holds what the tag names (If-None-Match, RFC 9110, 13.1.2). */
export function hasCopy(request: FastifyRequest, etag: string): boolean {
  const held = request.headers['if-none-match']?.split(',').map((tag) => tag.trim()) ?? [];
  return held.includes('*') || held.some((tag) => tag.replace(/^W\//, '') === etag);
}

/**
 * Reads a Range header (RFC 9110, 14): one range of bytes. Null for none, for several and for other
 * units, which all mean the whole object.
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

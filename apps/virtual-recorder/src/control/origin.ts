/** Restricts access to programs and web pages on this machine. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK_NAMES.has(new URL(url).hostname);
}

/** Returns the page's origin if the page is local, or undefined for programs and other pages. */
export function localOrigin(request: IncomingMessage): string | undefined {
  const { origin } = request.headers;
  return origin !== undefined && isLoopback(origin) ? origin : undefined;
}

/**
 * Returns whether a request comes from this machine. The Host check rejects pages whose host name was rebound to this
 * address (DNS rebinding). The Origin check rejects all other pages.
 */
export function isLocal(request: IncomingMessage): boolean {
  const { host, origin } = request.headers;
  if (host === undefined || !isLoopback(`http://${host}`)) return false;
  return origin === undefined || isLoopback(origin);
}

const REASONS = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found' } as const;

export function refuseUpgrade(socket: Duplex, status: keyof typeof REASONS): void {
  const reason = REASONS[status];
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

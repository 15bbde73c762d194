import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/index.ts';

/**
 * Rejects requests for an unknown host name (421). Otherwise, a page on a different site whose name resolves to this
 * machine (DNS rebinding) would be same-origin. That attack requires a name, so IP addresses are allowed.
 */
export function installHostCheck(
  app: FastifyInstance,
  { PUBLIC_URL, ALLOWED_HOSTS, HOST }: Pick<Config, 'PUBLIC_URL' | 'ALLOWED_HOSTS' | 'HOST'>,
): void {
  const knownHosts = new Set(['localhost', HOST.toLowerCase(), ...ALLOWED_HOSTS]);
  if (PUBLIC_URL !== undefined) knownHosts.add(new URL(PUBLIC_URL).hostname);
  app.addHook('onRequest', (request, reply, done) => {
    const { host } = request.headers;
    const name = parseHostName(host);
    if (host === undefined || (name !== null && (knownHosts.has(name) || isAddress(name)))) {
      return done();
    }
    request.log.warn({ host }, 'request with unknown host name rejected');
    reply.code(421).type('text/plain; charset=utf-8').send('Unknown host name.\n');
  });
}

/** Returns the name from a Host header in lower case and without the port, or null if there is no valid host. */
function parseHostName(host = ''): string | null {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : null;
}

const isAddress = (name: string) => isIP(name.replace(/^\[|\]$/g, '')) !== 0;

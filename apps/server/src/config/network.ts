import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { ConfigFailure } from './failure.ts';
import type { ValuesOf } from './variable.ts';
import { baseUrl, boolean, choice, list, port, text, variable } from './variable.ts';

/**
 * Returns whether a string is an IP address or a network in CIDR notation. Rejects /0 networks, which would trust every
 * client.
 */
function isNetwork(value: string): boolean {
  if (ipaddr.isValid(value)) return true;
  return ipaddr.isValidCIDR(value) && !value.endsWith('/0');
}

/** Variables for IP addresses, URLs, TLS, and the hosts and origins that the API accepts. */
export const networkVariables = {
  PORT: variable('port', '8080', 'Port of the API and the app.', port.default(8080)),
  HOST: variable(
    'address',
    '127.0.0.1',
    'Address to listen on. Any address other than loopback requires `PUBLIC_URL`.',
    z.string().min(1).default('127.0.0.1'),
  ),
  PUBLIC_URL: variable(
    'http(s)://…',
    'http://localhost:PORT',
    'Address that users open. Signed URLs, emails and payment return URLs are built from it.',
    baseUrl.optional(),
  ),
  TRUSTED_PROXIES: variable(
    'addresses or networks, comma-separated',
    'none',
    'Reverse proxies on other machines whose `X-Forwarded-For` is trusted, such as `10.244.0.0/16`. With `PUBLIC_URL`, proxies on this machine are always trusted. Other clients in these networks can choose the address that rate limits apply to.',
    list.pipe(z.array(z.string().refine(isNetwork, 'addresses or networks such as 10.244.0.0/16'))),
  ),
  ALLOW_PLAIN_HTTP: variable(
    'true, false',
    'false',
    'Accepts a `PUBLIC_URL` without TLS on a server that other machines can reach. Passwords, tokens and recordings then cross the network unencrypted.',
    boolean.default(false),
  ),
  ALLOWED_HOSTS: variable(
    'names, comma-separated',
    'none',
    "Additional host names that the server accepts, such as a container's name in its network. It always accepts localhost, IP addresses and the host of `PUBLIC_URL`.",
    list
      .transform((hosts) => hosts.map((host) => host.toLowerCase()))
      .pipe(z.array(z.string().regex(/^[a-z0-9_.-]+$/, 'host names without a port'))),
  ),
  CORS_ORIGINS: variable(
    'origins, comma-separated',
    'none',
    "Additional origins that may call the API, for apps hosted elsewhere. The server's own app and the Capacitor origins are always allowed.",
    list.pipe(z.array(baseUrl)),
  ),
  WEBHOOKS_PRIVATE: variable(
    'on, off',
    'off',
    "Whether webhooks and push services may use plain HTTP and addresses of this machine and of private networks. Every user of the server can then send requests to other machines in the server's network.",
    choice(['on', 'off']).default('off'),
  ),
  WEBDAV_PRIVATE: variable(
    'on, off',
    'off',
    "Whether WebDAV folders may use plain HTTP and addresses of this machine and of private networks. Every user of the server can then send requests to other machines in the server's network.",
    choice(['on', 'off']).default('off'),
  ),
  TLS_CERT: variable(
    'file',
    'none',
    'Certificate chain (PEM). With `TLS_KEY`, the API serves HTTPS. Both files are reloaded on SIGHUP.',
    text.optional(),
  ),
  TLS_KEY: variable('file', 'none', 'Private key (PEM) of `TLS_CERT`.', text.optional()),
} as const;

type NetworkValues = ValuesOf<typeof networkVariables>;

/** Where the server is reachable from. */
export interface Reachability {
  /** Whether HOST only accepts connections from this machine. */
  readonly loopback: boolean;
  /** Whether other machines can reach the server, directly or through a proxy. */
  readonly exposed: boolean;
  /** Address that users open, without a trailing slash. */
  readonly origin: string;
}

const loopbackAddresses = new Set(['127.0.0.1', 'localhost', '::1']);

/** Returns whether a URL's host name is a loopback address. */
export function isLoopbackHost(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/**
 * Determines the server's origin, and where the server can be reached from.
 * @throws ConfigFailure if the public URL is unknown or unsafe, or if the TLS setup is incomplete
 */
export function getReachability(values: NetworkValues): Reachability {
  const isLoopback = loopbackAddresses.has(values.HOST);
  if (!isLoopback && values.PUBLIC_URL === undefined) {
    throw new ConfigFailure(
      'PUBLIC_URL',
      `PUBLIC_URL is required because other machines can reach HOST ${values.HOST}.`,
    );
  }
  const origin = computeOrigin(values);
  const isExposed = !isLoopback || !isLoopbackHost(new URL(origin).hostname);
  if (isExposed && origin.startsWith('http:') && !values.ALLOW_PLAIN_HTTP) {
    throw new ConfigFailure(
      'PUBLIC_URL',
      `PUBLIC_URL is invalid: with ${origin}, passwords and recordings would cross the network unencrypted. Use an https address or set ALLOW_PLAIN_HTTP=true.`,
    );
  }
  return { loopback: isLoopback, exposed: isExposed, origin };
}

function computeOrigin({ PORT, PUBLIC_URL, TLS_CERT, TLS_KEY }: NetworkValues): string {
  if ((TLS_CERT === undefined) !== (TLS_KEY === undefined)) {
    const missingName = TLS_CERT === undefined ? 'TLS_CERT' : 'TLS_KEY';
    throw new ConfigFailure(
      missingName,
      `${missingName} is required: TLS needs a certificate and its key.`,
    );
  }
  const scheme = TLS_CERT === undefined ? 'http' : 'https';
  if (scheme === 'https' && PUBLIC_URL?.startsWith('http:')) {
    throw new ConfigFailure(
      'PUBLIC_URL',
      'PUBLIC_URL is invalid: expected an https address because TLS_CERT is set.',
    );
  }
  return PUBLIC_URL ?? `${scheme}://localhost:${PORT}`;
}

/** Restricts the destinations of user-configured requests, to prevent server-side request forgery (SSRF). */
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { limits } from '@linnet/contract/limits';
import type { DeliveryFailure } from '@linnet/contract/webhooks';
import ipaddr from 'ipaddr.js';
import type { Config } from '../../config/index.ts';

/**
 * Returns all IP addresses of a host name.
 * @throws Error if the name can't be resolved
 */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Resolves host names with the operating system's resolver, which also knows local names. */
const resolveWithSystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);

/** Timeout of the first DNS query, in milliseconds. The retry waits twice as long. */
const queryMs = 1000;

/**
 * Resolves host names with DNS queries. Unlike `dns.lookup`, these time out and don't occupy Node's thread pool, so
 * unresponsive name servers can't delay other lookups.
 * @param servers IP addresses of the DNS servers; defaults to the system's
 */
export function createDnsResolve(servers?: readonly string[]): Resolve {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: queryMs, tries: 2 });
    if (servers) resolver.setServers(servers);
    const answers = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    if (addresses.length === 0) throw new Error(`${hostname} has no IP address`);
    return addresses;
  };
}

/** The allowed destinations of user-configured requests, and the resolver for their host names. */
export interface Destinations {
  readonly resolve: Resolve;
  /** Whether plain HTTP and private networks are allowed. */
  readonly allowsPrivate: boolean;
}

/** Returns the destinations allowed for webhooks. */
export const webhookDestinations = (config: Pick<Config, 'WEBHOOKS_PRIVATE'>): Destinations =>
  createDestinations(config.WEBHOOKS_PRIVATE === 'on');

/**
 * Returns the allowed destinations with a suitable resolver. If private networks are allowed, the system's resolver is
 * used, because local names may be missing from DNS.
 */
export function createDestinations(allowsPrivate: boolean): Destinations {
  return { resolve: allowsPrivate ? resolveWithSystem : createDnsResolve(), allowsPrivate };
}

/** Why a URL isn't accepted. */
export type UrlProblem = 'invalid' | 'tooLong' | 'scheme' | 'credentials' | 'fragment';

export const urlProblems: Readonly<Record<UrlProblem, string>> = {
  invalid: 'not a URL such as https://example.com/hook',
  tooLong: `longer than ${limits.webhooks.urlMaxLength} characters`,
  scheme: 'must start with https://',
  credentials: 'must not contain a user name or password',
  fragment: 'must not contain a fragment',
};

/**
 * Parses the URL of a webhook.
 * @param allowsPrivate whether the operator allows plain HTTP and private networks
 */
export function parseUrl(text: string, allowsPrivate: boolean): URL | UrlProblem {
  if (!URL.canParse(text)) return 'invalid';
  const url = new URL(text);
  if (url.href.length > limits.webhooks.urlMaxLength) return 'tooLong';
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:')) return 'scheme';
  if (url.username !== '' || url.password !== '') return 'credentials';
  return url.hash === '' ? url : 'fragment';
}

/** Returns whether an IP address is public. IPv4-mapped IPv6 addresses count as IPv4 addresses. */
export function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/** The IP addresses to send a host's requests to, or why there are none. */
export type Destination =
  | { readonly addresses: readonly [string, ...string[]] }
  | { readonly failure: Extract<DeliveryFailure, 'unresolved' | 'forbidden'> };

/**
 * Resolves the host of a URL. Unless private networks are allowed, the destination is forbidden if any of its IP
 * addresses is on a private network.
 * @param url as returned by {@link parseUrl}
 */
export async function findDestination(
  { hostname }: URL,
  resolve: Resolve,
  allowsPrivate: boolean,
): Promise<Destination> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  let addresses: readonly string[];
  try {
    addresses = isIP(literal) === 0 ? await resolve(hostname) : [literal];
  } catch {
    return { failure: 'unresolved' };
  }
  const [first, ...others] = addresses;
  if (first === undefined) return { failure: 'unresolved' };
  if (!allowsPrivate && !addresses.every(isPublic)) return { failure: 'forbidden' };
  return { addresses: [first, ...others] };
}

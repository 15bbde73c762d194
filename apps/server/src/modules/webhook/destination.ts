/** Decides which addresses webhooks may use, so that they don't reach the server's own network. */
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

/** Resolves names with the operating system's resolver, which also knows those of the own network. */
const resolveWithSystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);

/** Time limit of the first query of a name in milliseconds. The second one has twice as much. */
const queryMs = 1000;

/**
 * Resolves names by DNS queries. Unlike the operating system's resolver, they have a time limit and block none of Node's
 * few threads, so that names whose servers don't answer can't delay others.
 * @param servers addresses of the DNS servers: those of the system if absent
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
    if (addresses.length === 0) throw new Error(`${hostname} has no address`);
    return addresses;
  };
}

/** Where requests may lead that users of the server cause, and how host names are resolved. */
export interface Destinations {
  readonly resolve: Resolve;
  /** Whether plain HTTP and addresses in private networks are allowed. */
  readonly allowsPrivate: boolean;
}

/** Returns where webhooks may lead. */
export const webhookDestinations = (config: Pick<Config, 'WEBHOOKS_PRIVATE'>): Destinations =>
  destinationsOf(config.WEBHOOKS_PRIVATE === 'on');

/** Returns how names are resolved. Those of the own network may be missing in DNS. */
export function destinationsOf(allowsPrivate: boolean): Destinations {
  return { resolve: allowsPrivate ? resolveWithSystem : createDnsResolve(), allowsPrivate };
}

/** Why an address of a webhook is not accepted. */
export type UrlProblem = 'unreadable' | 'tooLong' | 'scheme' | 'credentials' | 'fragment';

export const urlProblems: Readonly<Record<UrlProblem, string>> = {
  unreadable: 'not an address such as https://example.com/hook',
  tooLong: `longer than ${limits.webhooks.urlMaxLength} characters`,
  scheme: 'not an https address',
  credentials: 'must not contain a user name or password',
  fragment: 'must not contain a fragment',
};

/**
 * Parses the address of a webhook.
 * @param allowsPrivate whether the operator allows plain HTTP and private networks
 */
export function parseUrl(text: string, allowsPrivate: boolean): URL | UrlProblem {
  if (!URL.canParse(text)) return 'unreadable';
  const url = new URL(text);
  if (url.href.length > limits.webhooks.urlMaxLength) return 'tooLong';
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:')) return 'scheme';
  if (url.username !== '' || url.password !== '') return 'credentials';
  return url.hash === '' ? url : 'fragment';
}

/** True for an address of the public Internet. IPv4 addresses written as IPv6 ones count as IPv4 addresses. */
export function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/** The IP addresses to which requests for a host are sent. */
export type Destination =
  | { readonly addresses: readonly [string, ...string[]] }
  | { readonly failure: Extract<DeliveryFailure, 'unresolved' | 'forbidden'> };

/**
 * Resolves the host of an address. If one of several IP addresses is in a private network, all are refused.
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

import { isIPv6 } from 'node:net';

/**
 * Returns the network that attempts are counted for: the IP address itself for IPv4, and the /64 prefix for IPv6,
 * because a subscriber has at least that many addresses (RFC 6177).
 */
export function getNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const [head, tail] = address.split('::').map(groups);
  const zeros = Array(8).fill('0');
  const groupsOfAddress = tail
    ? [...(head ?? []), ...zeros.slice((head ?? []).length + tail.length), ...tail]
    : head;
  const network = (groupsOfAddress ?? [])
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

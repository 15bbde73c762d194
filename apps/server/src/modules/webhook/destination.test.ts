import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { limits } from '@linnet/contract/limits';
import { describe, expect, it } from 'vitest';
import { createDnsResolve, findDestination, isPublic, parseUrl } from './destination.ts';

describe('a webhook URL', () => {
  it.each([
    ['no address', 'invalid'],
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['http://example.com/', 'scheme'],
    ['https://user@example.com/', 'credentials'],
    ['https://:password@example.com/', 'credentials'],
    ['https://example.com/#part', 'fragment'],
    [`https://example.com/${'a'.repeat(limits.webhooks.urlMaxLength)}`, 'tooLong'],
    // Exceeds the maximum length once it is encoded.
    [`https://example.com/${'ä'.repeat(limits.webhooks.urlMaxLength / 2)}`, 'tooLong'],
  ])('is rejected: %s', (text, problem) => {
    expect(parseUrl(text, false)).toBe(problem);
  });

  it('uses plain HTTP only if the operator allows private networks', () => {
    expect(parseUrl('http://127.0.0.1:8000/', true)).toBeInstanceOf(URL);
    expect(parseUrl('https://example.com/hook?key=1', false)).toBeInstanceOf(URL);
  });
});

describe('an IP address', () => {
  it.each([
    '127.0.0.1',
    '127.255.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.8',
    '198.18.0.1',
    '198.51.100.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12:3456:789a::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    'localhost',
    '',
  ])('is not public: %s', (address) => {
    expect(isPublic(address)).toBe(false);
  });

  it.each(['8.8.8.8', '192.0.32.7', '172.32.0.1', '2606:2800:220:1::1', '::ffff:8.8.8.8'])(
    'is public: %s',
    (address) => {
      expect(isPublic(address)).toBe(true);
    },
  );
});

describe('the destination of requests', () => {
  const find = (url: string, addresses: readonly string[], allowsPrivate = false) =>
    findDestination(new URL(url), async () => addresses, allowsPrivate);

  it('consists of all IP addresses of a public host', async () => {
    const addresses = ['192.0.32.7', '2606:2800:220:1::1'];
    expect(await find('https://example.com/', addresses)).toEqual({ addresses });
  });

  it('is forbidden if any of the IP addresses is private', async () => {
    const failure = { failure: 'forbidden' };
    expect(await find('https://example.com/', ['192.0.32.7', '10.0.0.1'])).toEqual(failure);
    expect(await find('https://example.com/', ['::ffff:192.168.0.1'])).toEqual(failure);
  });

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fd00::1]/',
  ])('is forbidden without resolving a host: %s', async (url) => {
    // The resolver would return a public IP address.
    expect(await find(url, ['192.0.32.7'])).toEqual({ failure: 'forbidden' });
  });

  it('may be any IP address if the operator allows private networks', async () => {
    expect(await find('http://printer/', ['10.0.0.1'], true)).toEqual({ addresses: ['10.0.0.1'] });
    expect(await find('http://[::1]/', [], true)).toEqual({ addresses: ['::1'] });
  });

  it('is unresolved if the host has no IP address', async () => {
    expect(await find('https://example.com/', [])).toEqual({ failure: 'unresolved' });
    const fail = async () => Promise.reject(new Error('ENOTFOUND'));
    expect(await findDestination(new URL('https://example.com/'), fail, false)).toEqual({
      failure: 'unresolved',
    });
  });
});

describe('a host name', () => {
  /** Responds to DNS queries by record type. Types without an answer have no records. */
  async function startDns(answers: Readonly<Record<number, Buffer>>) {
    const socket = createSocket('udp4');
    socket.on('message', (query, { port, address }) => {
      const end = query.indexOf(0, 12) + 1;
      const data = answers[query.readUInt16BE(end)];
      const question = query.subarray(12, end + 4);
      const header = Buffer.concat([query.subarray(0, 2), Buffer.from('818000010000', 'hex')]);
      header.writeUInt16BE(data ? 1 : 0, 6);
      const parts: Uint8Array[] = [header, Buffer.alloc(4), question];
      if (data) {
        // A pointer to the name in the question, type and class, a TTL of one minute, and the size of the data.
        const record = Buffer.concat([
          Buffer.from('c00c', 'hex'),
          question.subarray(-4),
          Buffer.from('0000003c0000', 'hex'),
        ]);
        record.writeUInt16BE(data.length, 10);
        parts.push(record, data);
      }
      socket.send(Buffer.concat(parts), port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return { server: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
  }
  const ipv4 = Buffer.from([192, 0, 32, 7]);
  const ipv6 = Buffer.from('26200000'.padEnd(31, '0').concat('7'), 'hex');

  it.each([
    ['both kinds', { 1: ipv4, 28: ipv6 }, ['192.0.32.7', '2620::7']],
    ['IPv4 only', { 1: ipv4 }, ['192.0.32.7']],
    ['IPv6 only', { 28: ipv6 }, ['2620::7']],
  ])('is resolved by DNS to addresses of %s', async (_, answers, addresses) => {
    const dns = await startDns(answers);
    expect(await createDnsResolve([dns.server])('hooks.example')).toEqual(addresses);
    dns.close();
  });

  it('is unresolved without IP addresses, or if its name server does not respond', async () => {
    const emptyDns = await startDns({});
    const silentSocket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silentSocket, 'listening');
    const url = new URL('https://hooks.example/');
    const servers = [emptyDns.server, `127.0.0.1:${silentSocket.address().port}`];
    for (const server of servers) {
      const resolve = createDnsResolve([server]);
      expect(await findDestination(url, resolve, false)).toEqual({ failure: 'unresolved' });
    }
    emptyDns.close();
    silentSocket.close();
  });
});

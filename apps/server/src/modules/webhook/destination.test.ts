import { limits } from '@linnet/contract/limits';
import { describe, expect, it } from 'vitest';
import { findDestination, isPublic, parseUrl } from './destination.ts';

describe('an address of a webhook', () => {
  it.each([
    ['no address', 'unreadable'],
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['http://example.com/', 'scheme'],
    ['https://user@example.com/', 'credentials'],
    ['https://:password@example.com/', 'credentials'],
    ['https://example.com/#part', 'fragment'],
    [`https://example.com/${'a'.repeat(limits.webhooks.urlMaxLength)}`, 'tooLong'],
    // Longer once it is encoded.
    [`https://example.com/${'ä'.repeat(limits.webhooks.urlMaxLength / 2)}`, 'tooLong'],
  ])('%s is refused', (text, problem) => {
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
  ])('%s is not public', (address) => {
    expect(isPublic(address)).toBe(false);
  });

  it.each(['8.8.8.8', '192.0.32.7', '172.32.0.1', '2606:2800:220:1::1', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => {
      expect(isPublic(address)).toBe(true);
    },
  );
});

describe('the destination of requests', () => {
  const find = (url: string, addresses: readonly string[], allowsPrivate = false) =>
    findDestination(new URL(url), async () => addresses, allowsPrivate);

  it('is every address of a public name', async () => {
    const addresses = ['192.0.32.7', '2606:2800:220:1::1'];
    expect(await find('https://example.com/', addresses)).toEqual({ addresses });
  });

  it('is refused if one of the addresses is private', async () => {
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
  ])('%s is refused without resolving a name', async (url) => {
    // The resolver would return a public address.
    expect(await find(url, ['192.0.32.7'])).toEqual({ failure: 'forbidden' });
  });

  it('is any address if the operator allows private networks', async () => {
    expect(await find('http://printer/', ['10.0.0.1'], true)).toEqual({ addresses: ['10.0.0.1'] });
    expect(await find('http://[::1]/', [], true)).toEqual({ addresses: ['::1'] });
  });

  it('is unknown if the name has no address', async () => {
    expect(await find('https://example.com/', [])).toEqual({ failure: 'unresolved' });
    const fail = async () => Promise.reject(new Error('ENOTFOUND'));
    expect(await findDestination(new URL('https://example.com/'), fail, false)).toEqual({
      failure: 'unresolved',
    });
  });
});

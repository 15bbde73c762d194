import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';
import {
  accountKeyOf,
  chooseAddress,
  currentAddress,
  parseAddress,
  storageFolderOf,
} from './server-address.ts';

const ownOrigin = 'https://app.example.org';
const otherOrigin = 'https://wren.example.org:8443';

beforeEach(() => {
  vi.stubGlobal('location', { origin: ownOrigin });
  vi.stubGlobal('document', { querySelector: () => null });
  stubLocalStorage();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it.each([
  ['linnet.example.org', 'https://linnet.example.org'],
  ['  Linnet.Example.org/pages/me?x ', 'https://linnet.example.org'],
  ['https://linnet.example.org:8443/', 'https://linnet.example.org:8443'],
  ['http://linnet.example.org', 'http://linnet.example.org'],
  ['linnet.example.org:8443', 'https://linnet.example.org:8443'],
  ['localhost:8080', 'http://localhost:8080'],
  ['nas:8080', 'http://nas:8080'],
  ['nas.local', 'http://nas.local'],
  ['192.168.1.20:8080', 'http://192.168.1.20:8080'],
  ['172.32.0.1', 'https://172.32.0.1'],
  ['', null],
  ['two words', null],
  ['ftp://linnet.example.org', null],
  ['javascript:alert(1)', null],
  ['https://wren@linnet.example.org', null],
  ['http://', null],
])('parses %j as %j', (input, address) => {
  expect(parseAddress(input)).toBe(address);
});

it("uses the app's own server by default", () => {
  expect(currentAddress()).toBe(ownOrigin);
  chooseAddress(otherOrigin);
  expect(currentAddress()).toBe(otherOrigin);
  chooseAddress(ownOrigin);
  expect(currentAddress()).toBe(ownOrigin);
  expect(localStorage.getItem('server_address')).toBeNull();
});

it('uses the server configured at build time by default in phone apps', () => {
  vi.stubGlobal('location', { origin: 'http://localhost' });
  vi.stubGlobal('document', { querySelector: () => ({ content: otherOrigin }) });
  expect(currentAddress()).toBe(otherOrigin);
  expect(storageFolderOf(otherOrigin)).toBe('linnet');
});

it('separates folders and account keys by server', () => {
  expect(storageFolderOf(ownOrigin)).toBe('linnet');
  expect(storageFolderOf(otherOrigin)).not.toBe(storageFolderOf('http://wren.example.org:8443'));
  expect(storageFolderOf(otherOrigin)).not.toContain('/');
  expect(accountKeyOf(ownOrigin, '7')).toBe('7');
  expect(accountKeyOf(otherOrigin, '7')).not.toBe(accountKeyOf(ownOrigin, '7'));
  expect(accountKeyOf(otherOrigin, '7')).not.toBe(accountKeyOf('https://heron.example.org', '7'));
});

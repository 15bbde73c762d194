import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';
import {
  chooseAddress,
  currentAddress,
  getAccountKey,
  getStorageFolder,
  parseAddress,
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
  expect(getStorageFolder(otherOrigin)).toBe('linnet');
});

it('separates folders and account keys by server', () => {
  expect(getStorageFolder(ownOrigin)).toBe('linnet');
  expect(getStorageFolder(otherOrigin)).not.toBe(getStorageFolder('http://wren.example.org:8443'));
  expect(getStorageFolder(otherOrigin)).not.toContain('/');
  expect(getAccountKey(ownOrigin, '7')).toBe('7');
  expect(getAccountKey(otherOrigin, '7')).not.toBe(getAccountKey(ownOrigin, '7'));
  expect(getAccountKey(otherOrigin, '7')).not.toBe(getAccountKey('https://heron.example.org', '7'));
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';
import {
  accountKeyOf,
  chooseAddress,
  currentAddress,
  parseAddress,
  storageFolderOf,
} from './server-address.ts';

const own = 'https://app.example.org';
const other = 'https://wren.example.org:8443';

beforeEach(() => {
  vi.stubGlobal('location', { origin: own });
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
])('%j is the address %j', (typed, address) => {
  expect(parseAddress(typed)).toBe(address);
});

it('defaults to the app’s own server', () => {
  expect(currentAddress()).toBe(own);
  chooseAddress(other);
  expect(currentAddress()).toBe(other);
  chooseAddress(own);
  expect(currentAddress()).toBe(own);
  expect(localStorage.getItem('server_address')).toBeNull();
});

it('defaults to the server configured at build time in phone apps', () => {
  vi.stubGlobal('location', { origin: 'http://localhost' });
  vi.stubGlobal('document', { querySelector: () => ({ content: other }) });
  expect(currentAddress()).toBe(other);
  expect(storageFolderOf(other)).toBe('linnet');
});

it('separates the data and owners of other servers', () => {
  expect(storageFolderOf(own)).toBe('linnet');
  expect(storageFolderOf(other)).not.toBe(storageFolderOf('http://wren.example.org:8443'));
  expect(storageFolderOf(other)).not.toContain('/');
  expect(accountKeyOf(own, '7')).toBe('7');
  expect(accountKeyOf(other, '7')).not.toBe(accountKeyOf(own, '7'));
  expect(accountKeyOf(other, '7')).not.toBe(accountKeyOf('https://heron.example.org', '7'));
});

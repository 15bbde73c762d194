import { codes } from '@linnet/contract/codes';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { createSignOuts } from './sign-outs.ts';
import { tokenStore } from './token-store.ts';

const session = { address: 'https://linnet.example.org', access: 'access 1', refresh: 'refresh 1' };
const respond = (code: number, data: unknown = {}) =>
  new Response(JSON.stringify({ code, msg: '', data }));

/** The requests with their tokens, in order. */
let requests: string[];
let server: 'working' | 'expired' | 'refusing' | 'unreachable' | 'overloaded';
let isStorageFull: boolean;
const errors: unknown[] = [];

beforeEach(() => {
  requests = [];
  server = 'working';
  isStorageFull = false;
  errors.length = 0;
  stubLocalStorage(() => !isStorageFull);
  vi.stubGlobal('navigator', {
    locks: { request: (_name: string, run: () => Promise<void>) => run() },
  });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const [, path] = url.split('/api/');
    const token = new Headers(init.headers).get('Authorization')?.slice('Bearer '.length);
    requests.push(`${path}, ${token}`);
    if (server === 'unreachable') throw new TypeError('Failed to fetch');
    if (server === 'overloaded') return respond(codes.unavailable, null);
    if (server === 'refusing') {
      return respond(path === 'user/logout' ? codes.tokenExpired : codes.tokenInvalid, null);
    }
    if (path === 'user/refreshToken') return respond(codes.ok, { access_token: 'access 2' });
    const isOld = server === 'expired' && token === 'access 1';
    return respond(isOld ? codes.tokenExpired : codes.ok);
  });
});
afterEach(() => vi.unstubAllGlobals());

const createTestSignOuts = () => createSignOuts((error) => errors.push(error));

it('ends a session on its server once', async () => {
  const signOuts = createTestSignOuts();
  signOuts.add(session);
  await signOuts.settle();
  await signOuts.settle();
  expect(requests).toEqual(['user/logout, access 1']);
  expect(tokenStore.signedOut()).toEqual([]);
});

it('retries with a fresh token after a restart if the server was unreachable', async () => {
  server = 'unreachable';
  const firstPage = createTestSignOuts();
  firstPage.add(session);
  await firstPage.settle();
  expect(tokenStore.signedOut()).toEqual([session]);
  requests = [];
  server = 'expired';
  await createTestSignOuts().settle();
  expect(requests).toEqual([
    'user/logout, access 1',
    'user/refreshToken, refresh 1',
    'user/logout, access 2',
  ]);
  expect(tokenStore.signedOut()).toEqual([]);
});

it.each([
  ['overloaded', [session]],
  ['refusing', []],
] as const)(
  'after a request to a server that is %s, the stored sessions are %j',
  async (state, stored) => {
    server = state;
    const signOuts = createTestSignOuts();
    signOuts.add(session);
    await signOuts.settle();
    expect(tokenStore.signedOut()).toEqual(stored);
  },
);

it('ends a session that could not be stored', async () => {
  isStorageFull = true;
  const signOuts = createTestSignOuts();
  signOuts.add(session);
  expect(errors).toHaveLength(1);
  isStorageFull = false;
  await signOuts.settle();
  expect(requests).toEqual(['user/logout, access 1']);
});

import { codes } from '@linnet/contract/codes';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { createSignOuts } from './sign-outs.ts';
import { tokenStore } from './token-store.ts';

const session = { address: 'https://linnet.example.org', access: 'access 1', refresh: 'refresh 1' };
const answer = (code: number, data: unknown = {}) =>
  new Response(JSON.stringify({ code, msg: '', data }));

/** Calls and their tokens, in order. */
let requests: string[];
let server: 'answers' | 'expired' | 'refuses' | 'away' | 'full';
let full: boolean;
const errors: unknown[] = [];

beforeEach(() => {
  requests = [];
  server = 'answers';
  full = false;
  errors.length = 0;
  stubLocalStorage(() => !full);
  vi.stubGlobal('navigator', {
    locks: { request: (_name: string, run: () => Promise<void>) => run() },
  });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const [, path] = url.split('/api/');
    const token = new Headers(init.headers).get('Authorization')?.slice('Bearer '.length);
    requests.push(`${path}, ${token}`);
    if (server === 'away') throw new TypeError('Failed to fetch');
    if (server === 'full') return answer(codes.unavailable, null);
    if (server === 'refuses') {
      return answer(path === 'user/logout' ? codes.tokenExpired : codes.tokenInvalid, null);
    }
    if (path === 'user/refreshToken') return answer(codes.ok, { access_token: 'access 2' });
    const isOld = server === 'expired' && token === 'access 1';
    return answer(isOld ? codes.tokenExpired : codes.ok);
  });
});
afterEach(() => vi.unstubAllGlobals());

const signOuts = () => createSignOuts((error) => errors.push(error));

it('ends the session on its server, once', async () => {
  const mine = signOuts();
  mine.add(session);
  await mine.settle();
  await mine.settle();
  expect(requests).toEqual(['user/logout, access 1']);
  expect(tokenStore.signedOut()).toEqual([]);
});

it('retries with a fresh token after a restart if the network was down', async () => {
  server = 'away';
  const before = signOuts();
  before.add(session);
  await before.settle();
  expect(tokenStore.signedOut()).toEqual([session]);
  requests = [];
  server = 'expired';
  await signOuts().settle();
  expect(requests).toEqual([
    'user/logout, access 1',
    'user/refreshToken, refresh 1',
    'user/logout, access 2',
  ]);
  expect(tokenStore.signedOut()).toEqual([]);
});

it.each([
  ['full', [session]],
  ['refuses', []],
] as const)('after the server state %s, retains %j', async (how, left) => {
  server = how;
  const mine = signOuts();
  mine.add(session);
  await mine.settle();
  expect(tokenStore.signedOut()).toEqual(left);
});

it('works on a phone with full storage', async () => {
  full = true;
  const mine = signOuts();
  mine.add(session);
  expect(errors).toHaveLength(1);
  full = false;
  await mine.settle();
  expect(requests).toEqual(['user/logout, access 1']);
});

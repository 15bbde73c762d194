import { agreementVersion } from '@linnet/contract/agreement';
import { codes } from '@linnet/contract/codes';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { createAccount } from './account.ts';
import { tokenStore } from './token-store.ts';

const SERVER = 'https://linnet.example.org';
const info = {
  ...{ id: '7', email: 'wren@example.org', nickname: 'Wren', avatar: null },
  ...{ is_vip: 0, vip_plan: null, vip_expires_at: null, left_minutes: 30, subscription: null },
};
const tokens = (generation: number) => ({
  ...{ token_type: 'Bearer' as const, expires_in: 900 },
  ...{ access_token: `access ${generation}`, refresh_token: `refresh ${generation}` },
});

let storage: Map<string, string>;
/** Calls and their tokens, in order. */
let requests: string[];
/** Accepted versions of the agreements. */
let agreed: string[];
let server: {
  /** Number of the current tokens, and whether the access token has expired. */
  generation: number;
  isExpired: boolean;
  refresh: 'answers' | 'refuses' | 'away';
  /** Runs before a call is answered. */
  before: () => Promise<void>;
};

const answer = (code: number, data: unknown = null) =>
  new Response(JSON.stringify({ code, msg: '', data }));

async function ask(url: string, init: RequestInit): Promise<Response> {
  const [, path] = url.split('/api/');
  const token = new Headers(init.headers).get('Authorization')?.slice('Bearer '.length);
  requests.push(`${path}, ${token}`);
  await server.before();
  if (path === 'user/refreshToken') {
    if (server.refresh === 'away') throw new TypeError('Failed to fetch');
    if (server.refresh === 'refuses' || token !== `refresh ${server.generation}`) {
      return answer(codes.tokenInvalid);
    }
    server.generation += 1;
    server.isExpired = false;
    return answer(codes.ok, tokens(server.generation));
  }
  if (path === 'user/register') {
    agreed.push(JSON.parse(String(init.body)).agreement_version);
    return answer(codes.ok);
  }
  if (path === 'user/login') return answer(codes.ok, tokens(server.generation));
  if (token === 'revoked') return answer(codes.tokenInvalid);
  if (server.isExpired || token !== `access ${server.generation}`)
    return answer(codes.tokenExpired);
  return answer(codes.ok, info);
}

/** A lock manager like the browser's: exclusive by name across tabs. */
function lockManager() {
  const held = new Map<string, Promise<unknown>>();
  return {
    request<T>(name: string, run: () => Promise<T>): Promise<T> {
      const turn = (held.get(name) ?? Promise.resolve()).then(run);
      held.set(
        name,
        turn.then(
          () => undefined,
          () => undefined,
        ),
      );
      return turn;
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  storage = stubLocalStorage();
  requests = [];
  agreed = [];
  server = { generation: 1, isExpired: false, refresh: 'answers', before: async () => {} };
  vi.stubGlobal('navigator', { locks: lockManager() });
  vi.stubGlobal('fetch', ask);
  tokenStore.save(tokens(1));
  tokenStore.saveUser(info as unknown as Parameters<typeof tokenStore.saveUser>[0]);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The app in a tab. */
const tab = () => createAccount(SERVER);
const expire = () => {
  server.isExpired = true;
  vi.advanceTimersByTime(900_000);
};
/** The phone's clock is behind the server's, so an expired token looks fresh here. */
const expireAtServer = () => {
  server.isExpired = true;
};
const signedIn = { status: 'signed-in' };

it('uses a fresh token without refreshing it', async () => {
  expect((await tab().client.call('user/info')).ok).toBe(true);
  expect(requests).toEqual(['user/info, access 1']);
});

it('refreshes an expired token before a call, and saves the new one', async () => {
  const { client, service } = tab();
  expire();
  expect((await client.call('user/info')).ok).toBe(true);
  expect(requests).toEqual(['user/refreshToken, refresh 1', 'user/info, access 2']);
  expect([tokenStore.access(), tokenStore.refresh()]).toEqual(['access 2', 'refresh 2']);
  expect(tokenStore.isFresh()).toBe(true);
  expect(service.state.get()).toMatchObject(signedIn);
});

it('refreshes a token that the server rejects as expired, and retries the call', async () => {
  expireAtServer();
  expect((await tab().client.call('user/info')).ok).toBe(true);
  expect(requests).toEqual([
    ...['user/info, access 1', 'user/refreshToken, refresh 1', 'user/info, access 2'],
  ]);
});

it('refreshes once for concurrent calls in all tabs', async () => {
  expire();
  const [one, other] = [tab(), tab()];
  const calls = [one, other, one, other].map(({ client }) => client.call('user/info'));
  expect((await Promise.all(calls)).map(({ ok }) => ok)).toEqual([true, true, true, true]);
  expect(requests.filter((each) => each.startsWith('user/refreshToken'))).toHaveLength(1);
  expect(requests.filter((each) => each === 'user/info, access 2')).toHaveLength(4);
});

it('signs out after a rejected refresh and keeps all other data', async () => {
  storage.set('language', 'th');
  storage.set('BIND_DEVICE', '[{"sn":"LN-1"}]');
  const { client, service } = tab();
  expire();
  server.refresh = 'refuses';
  expect(await client.call('user/info')).toMatchObject({ ok: false });
  expect(service.state.get()).toEqual({ status: 'signed-out', reason: 'expired' });
  expect(Object.fromEntries(storage)).toEqual({
    ...{ language: 'th', BIND_DEVICE: '[{"sn":"LN-1"}]' },
    // For prefilling the form.
    login_username: info.email,
    save_user_info: JSON.stringify({ email: info.email, password: '' }),
  });
});

it.each([
  ['on this phone and the server', expire],
  ['only on the server', expireAtServer],
])(
  'stays signed in offline when a token expires %s, and refreshes it later',
  async (_where, end) => {
    const { client, service } = tab();
    end();
    server.refresh = 'away';
    const failure = { kind: 'server', code: codes.tokenExpired, msg: '' };
    expect(await client.call('user/info')).toEqual({ ok: false, failure });
    expect(service.state.get()).toMatchObject(signedIn);
    expect([tokenStore.access(), tokenStore.refresh()]).toEqual(['access 1', 'refresh 1']);
    server.refresh = 'answers';
    expect((await client.call('user/info')).ok).toBe(true);
    expect(tokenStore.access()).toBe('access 2');
  },
);

it('signs out after a rejected call, unless the user signed in during the call', async () => {
  const { client, service } = tab();
  storage.set('Access-Token', 'revoked');
  server.before = async () => {
    server.before = async () => {};
    await service.signIn(info.email, 'a password');
  };
  expect((await client.call('user/info')).ok).toBe(false);
  expect(service.state.get()).toMatchObject(signedIn);
  storage.set('Access-Token', 'revoked');
  expect((await client.call('user/info')).ok).toBe(false);
  expect(service.state.get()).toEqual({ status: 'signed-out', reason: 'expired' });
});

/** Runs something once, while the server is handling a call. */
const meanwhile = (path: string, act: () => Promise<void>) => {
  server.before = async () => {
    if (!requests.at(-1)?.startsWith(path)) return;
    server.before = async () => {};
    await act();
  };
};

it.each(['answers', 'refuses'] as const)(
  'saves no tokens after a sign-out during the refresh, if the server %s',
  async (refresh) => {
    const { client, service } = tab();
    expire();
    server.refresh = refresh;
    meanwhile('user/refreshToken', () => service.signOut());
    expect((await client.call('user/info')).ok).toBe(false);
    expect([tokenStore.access(), tokenStore.refresh()]).toEqual([null, null]);
    expect(service.state.get()).toEqual({ status: 'signed-out', reason: 'left' });
  },
);

it('never repeats a call as another account', async () => {
  const { client, service } = tab();
  expireAtServer();
  meanwhile('user/info', async () => {
    await service.signOut();
    server.isExpired = false;
    server.generation = 5;
    await service.signIn('robin@example.org', 'a password');
    server.isExpired = true;
  });
  expect(await client.call('user/info')).toMatchObject({ ok: false });
  expect(requests.filter((each) => each.startsWith('user/info'))).toEqual([
    ...['user/info, access 1', 'user/info, access 5'],
  ]);
  expect(service.state.get()).toMatchObject(signedIn);
});

it('keeps a created account even if signing in fails', async () => {
  tokenStore.clear();
  const { service } = tab();
  meanwhile('user/login', async () => {
    throw new TypeError('Failed to fetch');
  });
  const form = { email: 'robin@example.org', code: '123456', password: 'p', repassword: 'p' };
  expect(await service.register(form)).toEqual({ ok: true, data: null });
  expect(service.state.get()).toMatchObject({ status: 'signed-out' });
  expect(service.lastEmail()).toBe('robin@example.org');
  expect(agreed).toEqual([agreementVersion]);
});

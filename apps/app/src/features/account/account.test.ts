import { agreementVersion } from '@linnet/contract/agreement';
import { codes } from '@linnet/contract/codes';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { createAccount } from './account.ts';
import { tokenStore } from './token-store.ts';

const SERVER = 'https://linnet.example.org';
const info = {
  id: '7',
  email: 'wren@example.org',
  nickname: 'Wren',
  avatar: null,
  is_vip: 0,
  vip_plan: null,
  vip_expires_at: null,
  left_minutes: 30,
  subscription: null,
};
const tokens = (generation: number) => ({
  token_type: 'Bearer' as const,
  expires_in: 900,
  access_token: `access ${generation}`,
  refresh_token: `refresh ${generation}`,
});

let storage: Map<string, string>;
/** The requests with their tokens, in order. */
let requests: string[];
/** The agreement versions accepted on registration. */
let acceptedAgreements: string[];
/** The languages sent on registration and sign-in. */
let sentLanguages: string[];
let server: {
  /** The number of the current tokens. */
  generation: number;
  /** Whether the current access token has expired. */
  isExpired: boolean;
  refresh: 'succeeds' | 'is refused' | 'has no network';
  /** Called before the server responds to a request. */
  beforeResponse: () => Promise<void>;
};

const respond = (code: number, data: unknown = null) =>
  new Response(JSON.stringify({ code, msg: '', data }));

async function fakeFetch(url: string, init: RequestInit): Promise<Response> {
  const [, path] = url.split('/api/');
  const token = new Headers(init.headers).get('Authorization')?.slice('Bearer '.length);
  requests.push(`${path}, ${token}`);
  if (path === 'user/register' || path === 'user/login') {
    sentLanguages.push(JSON.parse(String(init.body)).language);
  }
  await server.beforeResponse();
  if (path === 'user/refreshToken') {
    if (server.refresh === 'has no network') throw new TypeError('Failed to fetch');
    if (server.refresh === 'is refused' || token !== `refresh ${server.generation}`) {
      return respond(codes.tokenInvalid);
    }
    server.generation += 1;
    server.isExpired = false;
    return respond(codes.ok, tokens(server.generation));
  }
  if (path === 'user/register') {
    acceptedAgreements.push(JSON.parse(String(init.body)).agreement_version);
    return respond(codes.ok);
  }
  if (path === 'user/login') return respond(codes.ok, tokens(server.generation));
  if (token === 'revoked') return respond(codes.tokenInvalid);
  if (server.isExpired || token !== `access ${server.generation}`)
    return respond(codes.tokenExpired);
  return respond(codes.ok, info);
}

/** Returns a lock manager that behaves like a browser's, granting one lock per name at a time across tabs. */
function createLockManager() {
  const lastHolders = new Map<string, Promise<unknown>>();
  return {
    request<T>(name: string, run: () => Promise<T>): Promise<T> {
      const result = (lastHolders.get(name) ?? Promise.resolve()).then(run);
      const released = result.then(
        () => undefined,
        () => undefined,
      );
      lastHolders.set(name, released);
      return result;
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  storage = stubLocalStorage();
  requests = [];
  acceptedAgreements = [];
  sentLanguages = [];
  server = { generation: 1, isExpired: false, refresh: 'succeeds', beforeResponse: async () => {} };
  vi.stubGlobal('navigator', { locks: createLockManager() });
  vi.stubGlobal('fetch', fakeFetch);
  tokenStore.save(tokens(1));
  tokenStore.saveUser(info as unknown as Parameters<typeof tokenStore.saveUser>[0]);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Creates the account as a newly opened tab would. */
const openTab = () => createAccount(SERVER, () => 'pt');
const expire = () => {
  server.isExpired = true;
  vi.advanceTimersByTime(900_000);
};
/** Expires the token only on the server, as if the phone's clock were slow. */
const expireOnServer = () => {
  server.isExpired = true;
};
const signedIn = { status: 'signed-in' };

it('uses a fresh token without refreshing it', async () => {
  expect((await openTab().client.call('user/info')).ok).toBe(true);
  expect(requests).toEqual(['user/info, access 1']);
});

it('refreshes an expired token before a call and stores the new tokens', async () => {
  const { client, service } = openTab();
  expire();
  expect((await client.call('user/info')).ok).toBe(true);
  expect(requests).toEqual(['user/refreshToken, refresh 1', 'user/info, access 2']);
  expect([tokenStore.access(), tokenStore.refresh()]).toEqual(['access 2', 'refresh 2']);
  expect(tokenStore.isFresh()).toBe(true);
  expect(service.state.get()).toMatchObject(signedIn);
});

it('refreshes a token that the server rejects as expired and retries the call', async () => {
  expireOnServer();
  expect((await openTab().client.call('user/info')).ok).toBe(true);
  expect(requests).toEqual([
    ...['user/info, access 1', 'user/refreshToken, refresh 1', 'user/info, access 2'],
  ]);
});

it('refreshes once for concurrent calls of all tabs', async () => {
  expire();
  const [first, second] = [openTab(), openTab()];
  const calls = [first, second, first, second].map(({ client }) => client.call('user/info'));
  expect((await Promise.all(calls)).map(({ ok }) => ok)).toEqual([true, true, true, true]);
  expect(requests.filter((each) => each.startsWith('user/refreshToken'))).toHaveLength(1);
  expect(requests.filter((each) => each === 'user/info, access 2')).toHaveLength(4);
});

it('signs out after a rejected refresh and keeps all other data', async () => {
  storage.set('language', 'th');
  storage.set('BIND_DEVICE', '[{"sn":"LN-1"}]');
  const { client, service } = openTab();
  expire();
  server.refresh = 'is refused';
  expect(await client.call('user/info')).toMatchObject({ ok: false });
  expect(service.state.get()).toEqual({ status: 'signed-out', reason: 'expired' });
  expect(Object.fromEntries(storage)).toEqual({
    language: 'th',
    BIND_DEVICE: '[{"sn":"LN-1"}]',
    // These prefill the sign-in form.
    login_username: info.email,
    save_user_info: JSON.stringify({ email: info.email, password: '' }),
  });
});

it.each([
  ['on this phone and the server', expire],
  ['only on the server', expireOnServer],
])(
  'stays signed in offline when a token expires %s, and refreshes it later',
  async (_where, end) => {
    const { client, service } = openTab();
    end();
    server.refresh = 'has no network';
    const failure = { kind: 'server', code: codes.tokenExpired, msg: '' };
    expect(await client.call('user/info')).toEqual({ ok: false, failure });
    expect(service.state.get()).toMatchObject(signedIn);
    expect([tokenStore.access(), tokenStore.refresh()]).toEqual(['access 1', 'refresh 1']);
    server.refresh = 'succeeds';
    expect((await client.call('user/info')).ok).toBe(true);
    expect(tokenStore.access()).toBe('access 2');
  },
);

it('signs out after a rejected call, unless the user signed in during the call', async () => {
  const { client, service } = openTab();
  storage.set('Access-Token', 'revoked');
  server.beforeResponse = async () => {
    server.beforeResponse = async () => {};
    await service.signIn(info.email, 'a password');
  };
  expect((await client.call('user/info')).ok).toBe(false);
  expect(service.state.get()).toMatchObject(signedIn);
  storage.set('Access-Token', 'revoked');
  expect((await client.call('user/info')).ok).toBe(false);
  expect(service.state.get()).toEqual({ status: 'signed-out', reason: 'expired' });
});

/** Runs an action once while the server handles a request to the given path. */
const runDuring = (path: string, action: () => Promise<void>) => {
  server.beforeResponse = async () => {
    if (!requests.at(-1)?.startsWith(path)) return;
    server.beforeResponse = async () => {};
    await action();
  };
};

it.each(['succeeds', 'is refused'] as const)(
  'stores no tokens after a sign-out during a refresh that %s',
  async (refresh) => {
    const { client, service } = openTab();
    expire();
    server.refresh = refresh;
    runDuring('user/refreshToken', () => service.signOut());
    expect((await client.call('user/info')).ok).toBe(false);
    expect([tokenStore.access(), tokenStore.refresh()]).toEqual([null, null]);
    expect(service.state.get()).toEqual({ status: 'signed-out', reason: 'requested' });
  },
);

it('does not repeat a call for another account', async () => {
  const { client, service } = openTab();
  expireOnServer();
  runDuring('user/info', async () => {
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

it('reports a successful registration even if signing in fails', async () => {
  tokenStore.clear();
  const { service } = openTab();
  runDuring('user/login', async () => {
    throw new TypeError('Failed to fetch');
  });
  const form = { email: 'robin@example.org', code: '123456', password: 'p', repassword: 'p' };
  expect(await service.register(form)).toEqual({ ok: true, data: null });
  expect(service.state.get()).toMatchObject({ status: 'signed-out' });
  expect(service.lastEmail()).toBe('robin@example.org');
  expect(acceptedAgreements).toEqual([agreementVersion]);
  expect(sentLanguages).toEqual(['pt', 'pt']);
});

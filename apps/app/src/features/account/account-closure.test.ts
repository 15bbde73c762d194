import { writable } from '@linnet/base';
import type { CallResult } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AccountState } from '../../ports/account.ts';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { type AccountClosureOptions, createAccountClosure } from './account-closure.ts';
import { pendingClosures } from './pending-closures.ts';

const ADDRESS = 'https://linnet.example.org';
const ID = 'me';
const PASSWORD = 'a quiet song';
const success = { ok: true, data: {} } as const;
const timeout = { ok: false, failure: { kind: 'timeout' } } as const;
const refusal = (code: number) =>
  ({ ok: false, failure: { kind: 'server', code, msg: '' } }) as const;

let storage: Map<string, string>;
/** The operations performed, in order. */
let operations: string[];
/** The fake server's state and behavior. `closed` is null if it doesn't respond. */
let server: { closed: boolean | null; deactivation: () => CallResult<object> };
let state: ReturnType<typeof writable<AccountState>>;
let isStorageFull: boolean;

const createSignedIn = (id: string): AccountState => ({
  status: 'signed-in',
  user: { id, email: '', nickname: '', avatar: null },
});

beforeEach(() => {
  operations = [];
  isStorageFull = false;
  state = writable(createSignedIn(ID));
  server = {
    closed: false,
    deactivation() {
      server.closed = true;
      return success;
    },
  };
  storage = stubLocalStorage(() => !isStorageFull);
});
afterEach(() => vi.unstubAllGlobals());

function createTestClosure(overrides: Partial<AccountClosureOptions> = {}) {
  const responses: Readonly<Record<string, () => CallResult<object>>> = {
    'user/deactivation': () => server.deactivation(),
    'user/closed': () =>
      server.closed === null ? timeout : { ok: true, data: { closed: server.closed } },
  };
  const client = {
    async call(name: string, body: unknown) {
      if (name === 'user/deactivation') expect(body).toEqual({ password: PASSWORD });
      operations.push(`${name}, pending: ${pendingClosures.at(ADDRESS).join()}`);
      return responses[name]?.() ?? timeout;
    },
  } as unknown as AccountClosureOptions['account']['client'];
  return createAccountClosure({
    account: {
      client,
      service: {
        state,
        async signOut() {
          operations.push('signed out');
          state.set({ status: 'signed-out', reason: 'requested' });
        },
      },
    },
    address: ADDRESS,
    unbindRecorder: async () => void operations.push('recorder unbound'),
    forget: async (id) => void operations.push(`forgot ${id}`),
    onError: () => operations.push('error'),
    ...overrides,
  });
}

it('stores the request, and deletes data only after the server has confirmed it', async () => {
  expect(await createTestClosure().close(PASSWORD)).toEqual({ ok: true, data: null });
  expect(operations).toEqual([
    'user/deactivation, pending: me',
    'recorder unbound',
    'forgot me',
    'signed out',
  ]);
  expect(storage.size).toBe(0);
});

it('sends no request if it cannot be stored', async () => {
  isStorageFull = true;
  expect(await createTestClosure().close(PASSWORD)).toEqual({
    ok: false,
    failure: { kind: 'not_saved' },
  });
  expect(operations).toEqual(['error']);
});

it('keeps all data and discards the pending closure if the server rejects it', async () => {
  server.deactivation = () => refusal(codes.tooManyRequests);
  expect(await createTestClosure().close(PASSWORD)).toEqual(refusal(codes.tooManyRequests));
  expect(operations).toEqual(['user/deactivation, pending: me']);
  expect(pendingClosures.at(ADDRESS)).toEqual([]);
});

it('completes immediately if the response is lost but the account is closed', async () => {
  server.deactivation = () => {
    server.closed = true;
    return timeout;
  };
  expect((await createTestClosure().close(PASSWORD)).ok).toBe(true);
  expect(operations.slice(-2)).toEqual(['forgot me', 'signed out']);
});

it('keeps the closure pending while the outcome is unknown and completes it once confirmed', async () => {
  server.deactivation = () => {
    server.closed = null;
    return timeout;
  };
  const closure = createTestClosure();
  expect(await closure.close(PASSWORD)).toEqual(timeout);
  await closure.settle();
  expect(pendingClosures.at(ADDRESS)).toEqual([ID]);
  expect(operations).not.toContain('forgot me');
  server.closed = true;
  await closure.settle();
  expect(operations.slice(-2)).toEqual(['forgot me', 'signed out']);
  expect(pendingClosures.at(ADDRESS)).toEqual([]);
});

it('deletes nothing if the account still exists after its session was rejected', async () => {
  server.deactivation = () => refusal(codes.tokenInvalid);
  const closure = createTestClosure();
  expect((await closure.close(PASSWORD)).ok).toBe(false);
  // The server may still be processing the request.
  expect(pendingClosures.at(ADDRESS)).toEqual([ID]);
  await closure.settle();
  expect(pendingClosures.at(ADDRESS)).toEqual([]);
  expect(operations.filter((each) => /forgot|signed out/.test(each))).toEqual([]);
});

it('completes an earlier closure if the closed account’s token is rejected', async () => {
  pendingClosures.add(ADDRESS, ID);
  server = { closed: true, deactivation: () => refusal(codes.tokenInvalid) };
  expect((await createTestClosure().close(PASSWORD)).ok).toBe(true);
  expect(operations.slice(-2)).toEqual(['forgot me', 'signed out']);
});

it('keeps an earlier closure pending if a new attempt is rejected', async () => {
  pendingClosures.add(ADDRESS, ID);
  server.deactivation = () => refusal(codes.tooManyRequests);
  await createTestClosure().close(PASSWORD);
  expect(pendingClosures.at(ADDRESS)).toEqual([ID]);
});

it('does not affect other signed-in accounts or other servers', async () => {
  pendingClosures.add(ADDRESS, 'another');
  pendingClosures.add('https://elsewhere.example.org', 'far');
  server.closed = true;
  await createTestClosure().settle();
  expect(operations).toEqual(['user/closed, pending: another', 'forgot another']);
  expect(state.get().status).toBe('signed-in');
  expect(pendingClosures.at('https://elsewhere.example.org')).toEqual(['far']);
});

it('signs out the closed account, but not an account that signed in later', async () => {
  pendingClosures.add(ADDRESS, ID);
  server.closed = true;
  const closure = createTestClosure({
    async forget() {
      state.set({ status: 'signed-out', reason: 'expired' });
    },
  });
  await closure.settle();
  expect(state.get()).toEqual({ status: 'signed-out', reason: 'requested' });
  state.set(createSignedIn(ID));
  pendingClosures.add(ADDRESS, ID);
  const otherClosure = createTestClosure({
    async forget() {
      state.set(createSignedIn('another'));
    },
  });
  await otherClosure.settle();
  expect(state.get()).toEqual(createSignedIn('another'));
});

it('retries a failed deletion on the next start', async () => {
  const forget = async () => {
    throw new Error('the file is in use');
  };
  expect((await createTestClosure({ forget }).close(PASSWORD)).ok).toBe(true);
  expect(operations.slice(-2)).toEqual(['error', 'signed out']);
  await createTestClosure().settle();
  expect(operations.at(-1)).toBe('forgot me');
  expect(pendingClosures.at(ADDRESS)).toEqual([]);
});

it('keeps a closure pending if it is requested during a check', async () => {
  pendingClosures.add(ADDRESS, ID);
  server.deactivation = () => timeout;
  const closure = createTestClosure();
  const settled = closure.settle();
  await Promise.all([settled, closure.close(PASSWORD)]);
  expect(pendingClosures.at(ADDRESS)).toEqual([ID]);
});

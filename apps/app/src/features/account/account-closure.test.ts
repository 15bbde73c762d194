import { writable } from '@linnet/base';
import type { CallResult } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AccountState } from '../../ports/account.ts';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { type AccountClosureOptions, createAccountClosure } from './account-closure.ts';
import { pendingClosures } from './pending-closures.ts';

const ADDRESS = 'https://linnet.example.org';
const ME = 'me';
const PASSWORD = 'a quiet song';
const ok = { ok: true, data: {} } as const;
const lost = { ok: false, failure: { kind: 'timeout' } } as const;
const refusedWith = (code: number) =>
  ({ ok: false, failure: { kind: 'server', code, msg: '' } }) as const;

let storage: Map<string, string>;
/** Operations, in order. */
let done: string[];
/** State and behavior of the fake server. */
let server: { closed: boolean | null; deactivation: () => CallResult<object> };
let state: ReturnType<typeof writable<AccountState>>;
let full: boolean;

const signedInAs = (id: string): AccountState => ({
  status: 'signed-in',
  user: { id, email: '', nickname: '', avatar: null },
});

beforeEach(() => {
  done = [];
  full = false;
  state = writable(signedInAs(ME));
  server = {
    closed: false,
    deactivation() {
      server.closed = true;
      return ok;
    },
  };
  storage = stubLocalStorage(() => !full);
});
afterEach(() => vi.unstubAllGlobals());

function closing(change: Partial<AccountClosureOptions> = {}) {
  const answers: Readonly<Record<string, () => CallResult<object>>> = {
    'user/deactivation': () => server.deactivation(),
    'user/closed': () =>
      server.closed === null ? lost : { ok: true, data: { closed: server.closed } },
  };
  const client = {
    async call(name: string, body: unknown) {
      if (name === 'user/deactivation') expect(body).toEqual({ password: PASSWORD });
      done.push(`${name}, noted: ${pendingClosures.at(ADDRESS).join()}`);
      return answers[name]?.() ?? lost;
    },
  } as unknown as AccountClosureOptions['account']['client'];
  return createAccountClosure({
    account: {
      client,
      service: {
        state,
        async signOut() {
          done.push('signed out');
          state.set({ status: 'signed-out', reason: 'left' });
        },
      },
    },
    address: ADDRESS,
    unbindRecorder: async () => void done.push('recorder unbound'),
    forget: async (id) => void done.push(`forgot ${id}`),
    onError: () => done.push('error'),
    ...change,
  });
}

it('records the request, and deletes nothing before the server confirms', async () => {
  expect(await closing().close(PASSWORD)).toEqual({ ok: true, data: null });
  expect(done).toEqual([
    'user/deactivation, noted: me',
    'recorder unbound',
    'forgot me',
    'signed out',
  ]);
  expect(storage.size).toBe(0);
});

it('sends nothing if the request cannot be recorded', async () => {
  full = true;
  expect(await closing().close(PASSWORD)).toEqual({ ok: false, failure: { kind: 'not_kept' } });
  expect(done).toEqual(['error']);
});

it('keeps everything, and no record, when the server refuses', async () => {
  server.deactivation = () => refusedWith(codes.tooManyRequests);
  expect(await closing().close(PASSWORD)).toEqual(refusedWith(codes.tooManyRequests));
  expect(done).toEqual(['user/deactivation, noted: me']);
  expect(pendingClosures.at(ADDRESS)).toEqual([]);
});

it('completes immediately if the answer is lost but the account is closed', async () => {
  server.deactivation = () => {
    server.closed = true;
    return lost;
  };
  expect((await closing().close(PASSWORD)).ok).toBe(true);
  expect(done.slice(-2)).toEqual(['forgot me', 'signed out']);
});

it('keeps the record while the outcome is unknown, and completes once the server reports it', async () => {
  server.deactivation = () => {
    server.closed = null;
    return lost;
  };
  const mine = closing();
  expect(await mine.close(PASSWORD)).toEqual(lost);
  await mine.settle();
  expect(pendingClosures.at(ADDRESS)).toEqual([ME]);
  expect(done).not.toContain('forgot me');
  server.closed = true;
  await mine.settle();
  expect(done.slice(-2)).toEqual(['forgot me', 'signed out']);
  expect(pendingClosures.at(ADDRESS)).toEqual([]);
});

it('deletes nothing of an existing account, even if its session has ended', async () => {
  server.deactivation = () => refusedWith(codes.tokenInvalid);
  const mine = closing();
  expect((await mine.close(PASSWORD)).ok).toBe(false);
  // The call may still be in progress.
  expect(pendingClosures.at(ADDRESS)).toEqual([ME]);
  await mine.settle();
  expect(pendingClosures.at(ADDRESS)).toEqual([]);
  expect(done.filter((each) => /forgot|signed out/.test(each))).toEqual([]);
});

it('treats a refused token of a closed account as the lost answer', async () => {
  pendingClosures.add(ADDRESS, ME);
  server = { closed: true, deactivation: () => refusedWith(codes.tokenInvalid) };
  expect((await closing().close(PASSWORD)).ok).toBe(true);
  expect(done.slice(-2)).toEqual(['forgot me', 'signed out']);
});

it('ignores a refusal that concerns an earlier attempt', async () => {
  pendingClosures.add(ADDRESS, ME);
  server.deactivation = () => refusedWith(codes.tooManyRequests);
  await closing().close(PASSWORD);
  expect(pendingClosures.at(ADDRESS)).toEqual([ME]);
});

it('does not affect other signed-in accounts or other servers', async () => {
  pendingClosures.add(ADDRESS, 'another');
  pendingClosures.add('https://elsewhere.example.org', 'far');
  server.closed = true;
  await closing().settle();
  expect(done).toEqual(['user/closed, noted: another', 'forgot another']);
  expect(state.get().status).toBe('signed-in');
  expect(pendingClosures.at('https://elsewhere.example.org')).toEqual(['far']);
});

it('signs out the closed account, but not one signed in later', async () => {
  pendingClosures.add(ADDRESS, ME);
  server.closed = true;
  const mine = closing({
    async forget() {
      state.set({ status: 'signed-out', reason: 'expired' });
    },
  });
  await mine.settle();
  expect(state.get()).toEqual({ status: 'signed-out', reason: 'left' });
  state.set(signedInAs(ME));
  pendingClosures.add(ADDRESS, ME);
  const other = closing({
    async forget() {
      state.set(signedInAs('another'));
    },
  });
  await other.settle();
  expect(state.get()).toEqual(signedInAs('another'));
});

it('retries a failed deletion at the next start', async () => {
  const forget = async () => {
    throw new Error('the file is in use');
  };
  expect((await closing({ forget }).close(PASSWORD)).ok).toBe(true);
  expect(done.slice(-2)).toEqual(['error', 'signed out']);
  await closing().settle();
  expect(done.at(-1)).toBe('forgot me');
  expect(pendingClosures.at(ADDRESS)).toEqual([]);
});

it('keeps the record of an attempt that starts during a check', async () => {
  pendingClosures.add(ADDRESS, ME);
  server.deactivation = () => lost;
  const mine = closing();
  const settled = mine.settle();
  await Promise.all([settled, mine.close(PASSWORD)]);
  expect(pendingClosures.at(ADDRESS)).toEqual([ME]);
});

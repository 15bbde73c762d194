import { writable } from '@linnet/base';
import { expect, it } from 'vitest';
import type { AccountState } from '../../ports/account.ts';
import { endOnSignOut } from './end-on-sign-out.ts';

const signedIn: AccountState = {
  status: 'signed-in',
  user: { id: '1', email: 'wren@example.org', nickname: 'Wren', avatar: null },
};

function start(initial: AccountState) {
  const state = writable(initial);
  const calls = { count: 0 };
  const end = async () => {
    calls.count += 1;
  };
  endOnSignOut(state, end, (error) => {
    throw error;
  });
  return { state, calls };
}

it.each(['requested', 'expired'] as const)(
  'stops notifications when the account signs out (%s)',
  (reason) => {
    const { state, calls } = start(signedIn);
    state.set({ ...signedIn });
    expect(calls.count).toBe(0);
    state.set({ status: 'signed-out', reason });
    expect(calls.count).toBe(1);
    state.set(signedIn);
    expect(calls.count).toBe(1);
  },
);

it('stops notifications on startup if no account is signed in', () => {
  expect(start({ status: 'signed-out', reason: 'new' }).calls.count).toBe(1);
});

import { describe, expect, it, vi } from 'vitest';
import { tokenStore } from '../features/account/token-store.ts';
import { stubLocalStorage } from '../features/testing/local-storage.ts';
import type { AccountState, Membership } from './account.ts';
import { isMember } from './member.ts';

const now = new Date('2026-11-22T00:00:00Z');
const info = {
  id: '7',
  email: 'a@example.org',
  nickname: 'A',
  avatar: '',
  is_vip: true,
  vip_plan: 'monthly',
  left_minutes: 30,
  vip_expires_at: '2026-12-01T00:00:00Z',
} as unknown as Parameters<typeof tokenStore.saveUser>[0];

/** Returns the account state as restored from local storage after a restart. */
function restoredState(user: typeof info): AccountState {
  stubLocalStorage();
  tokenStore.saveUser(user);
  const saved = tokenStore.user();
  vi.unstubAllGlobals();
  if (!saved) throw new Error('No account is stored.');
  return { status: 'signed-in', user: saved };
}

describe('isMember', () => {
  it('applies the stored membership until it expires', () => {
    expect(isMember(null, restoredState(info), now)).toBe(true);
    expect(isMember(null, restoredState(info), new Date('2026-12-02T00:00:00Z'))).toBe(false);
    expect(isMember(null, restoredState({ ...info, is_vip: false }), now)).toBe(false);
  });

  it('applies the membership reported by the server once it is known', () => {
    const reported: Membership = {
      isVip: false,
      plan: null,
      expiresAt: null,
      remainingMinutes: 0,
      subscription: null,
    };
    expect(isMember(reported, restoredState(info), now)).toBe(false);
    expect(isMember({ ...reported, isVip: true }, { status: 'loading' }, now)).toBe(true);
  });
});

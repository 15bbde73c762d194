import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { tokenStore } from './token-store.ts';

let storage: Map<string, string>;

beforeEach(() => {
  vi.useFakeTimers();
  storage = stubLocalStorage();
  tokenStore.save({
    token_type: 'Bearer',
    access_token: 'access',
    refresh_token: 'refresh',
    expires_in: 900,
  });
  tokenStore.saveUser({
    id: '7',
    email: 'wren@example.org',
    nickname: 'Wren',
    avatar: null,
  } as Parameters<typeof tokenStore.saveUser>[0]);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('stores data under the specified keys, but no password', () => {
  expect([...storage.keys()].sort()).toEqual([
    'Access-Token',
    'Refresh-Token',
    'Token_time',
    'login_user_info',
    'login_username',
    'save_user_info',
  ]);
  expect(JSON.parse(storage.get('save_user_info') ?? '')).toEqual({
    email: 'wren@example.org',
    password: '',
  });
});

it('treats an access token as fresh until one second before its expiry', () => {
  vi.advanceTimersByTime(898_999);
  expect(tokenStore.isFresh()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(tokenStore.isFresh()).toBe(false);
});

it('clears the tokens and the account, but keeps the last email', () => {
  tokenStore.clear();
  expect([tokenStore.access(), tokenStore.refresh(), tokenStore.user()]).toEqual([
    null,
    null,
    null,
  ]);
  expect(tokenStore.isFresh()).toBe(false);
  expect(tokenStore.lastEmail()).toBe('wren@example.org');
  expect(JSON.parse(storage.get('save_user_info') ?? '').password).toBe('');
});

it("reads the last email from an earlier version's data", () => {
  storage.delete('save_user_info');
  expect(tokenStore.lastEmail()).toBe('wren@example.org');
});

import type { Client } from '@linnet/contract/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { watchServer } from './server-facts.ts';

/** Retry interval in milliseconds after an unanswered request. */
const RETRY_MS = 15_000;

let asked: number;
/** The server's pending answer. */
let answer: () => Promise<unknown>;
const client = {
  call() {
    asked += 1;
    return answer();
  },
} as unknown as Client;

beforeEach(() => {
  vi.useFakeTimers();
  stubLocalStorage();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  asked = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The network returns, or the page becomes visible. */
async function come(): Promise<void> {
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
}

it('an unreachable server is polled at a constant rate, whatever triggers checks in between', async () => {
  answer = async () => ({ ok: false, failure: { kind: 'unreachable' } });
  const { state } = watchServer(client);
  await vi.advanceTimersByTimeAsync(0);
  await come();
  await come();
  expect(asked).toBe(5);
  await vi.advanceTimersByTimeAsync(RETRY_MS);
  expect(asked).toBe(6);
  await vi.advanceTimersByTimeAsync(2 * RETRY_MS);
  expect(asked).toBe(8);
  expect(state.get().status).toBe('unreachable');
});

it('a slow server is asked once, and again after a failure', async () => {
  let fail = () => {};
  answer = () =>
    new Promise((resolve) => {
      fail = () => resolve({ ok: false, failure: { kind: 'timeout' } });
    });
  watchServer(client);
  await come();
  expect(asked).toBe(1);
  fail();
  await come();
  expect(asked).toBe(2);
  fail();
  await vi.advanceTimersByTimeAsync(RETRY_MS);
  expect(asked).toBe(3);
});

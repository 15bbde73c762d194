import type { Client } from '@linnet/contract/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { watchServer } from './server-facts.ts';

/** Retry interval in milliseconds after an unanswered request. */
const RETRY_MS = 15_000;

let requests: number;
/** The server's pending answer. */
let answer: () => Promise<unknown>;
const client = {
  call() {
    requests += 1;
    return answer();
  },
} as unknown as Client;

beforeEach(() => {
  vi.useFakeTimers();
  stubLocalStorage();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  requests = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The network returns, or the page becomes visible. */
async function goOnline(): Promise<void> {
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
}

it('polls an unreachable server at a constant rate despite other checks', async () => {
  answer = async () => ({ ok: false, failure: { kind: 'unreachable' } });
  const { state } = watchServer(client);
  await vi.advanceTimersByTimeAsync(0);
  await goOnline();
  await goOnline();
  expect(requests).toBe(5);
  await vi.advanceTimersByTimeAsync(RETRY_MS);
  expect(requests).toBe(6);
  await vi.advanceTimersByTimeAsync(2 * RETRY_MS);
  expect(requests).toBe(8);
  expect(state.get().status).toBe('unreachable');
});

it('sends one request to a slow server, and another after it fails', async () => {
  let fail = () => {};
  answer = () =>
    new Promise((resolve) => {
      fail = () => resolve({ ok: false, failure: { kind: 'timeout' } });
    });
  watchServer(client);
  await goOnline();
  expect(requests).toBe(1);
  fail();
  await goOnline();
  expect(requests).toBe(2);
  fail();
  await vi.advanceTimersByTimeAsync(RETRY_MS);
  expect(requests).toBe(3);
});

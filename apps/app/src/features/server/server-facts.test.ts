import type { Client } from '@linnet/contract/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { watchServer } from './server-facts.ts';

/** Milliseconds until a server that did not answer is asked again. */
const RETRY_MS = 15_000;

let asked: number;
/** What the server says, once it does. */
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

/** The network comes, or somebody looks at the page again. */
async function come(): Promise<void> {
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
}

it('a server that is away is asked at one pace, however often it was asked in between', async () => {
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

it('a server that takes its time is asked once, and again when it did not answer', async () => {
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

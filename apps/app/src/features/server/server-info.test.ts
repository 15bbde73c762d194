import type { Client } from '@linnet/contract/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { watchServer } from './server-info.ts';

/** Retry interval in milliseconds after a failed request. */
const RETRY_MS = 15_000;

let requests: number;
let respond: () => Promise<unknown>;
const client = {
  call() {
    requests += 1;
    return respond();
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

/** Dispatches the two events that trigger a check of the server info. */
async function dispatchCheckEvents(): Promise<void> {
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
}

it('retries an unreachable server at a constant rate, regardless of other checks', async () => {
  respond = async () => ({ ok: false, failure: { kind: 'unreachable' } });
  const { state } = watchServer(client);
  await vi.advanceTimersByTimeAsync(0);
  await dispatchCheckEvents();
  await dispatchCheckEvents();
  expect(requests).toBe(5);
  await vi.advanceTimersByTimeAsync(RETRY_MS);
  expect(requests).toBe(6);
  await vi.advanceTimersByTimeAsync(2 * RETRY_MS);
  expect(requests).toBe(8);
  expect(state.get().status).toBe('unreachable');
});

it('sends no second request while a request is pending', async () => {
  let fail = () => {};
  respond = () =>
    new Promise((resolve) => {
      fail = () => resolve({ ok: false, failure: { kind: 'timeout' } });
    });
  watchServer(client);
  await dispatchCheckEvents();
  expect(requests).toBe(1);
  fail();
  await dispatchCheckEvents();
  expect(requests).toBe(2);
  fail();
  await vi.advanceTimersByTimeAsync(RETRY_MS);
  expect(requests).toBe(3);
});

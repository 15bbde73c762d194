import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTabLock, type TabLock } from './tab-lock.ts';

const NAME = 'linnet-lead';
/** A tab with its callbacks. */
type Tab = { readonly lock: TabLock; readonly busy: () => void; readonly lost: () => void };

let channels: BroadcastChannel[];
let closeOthers: (() => void)[];

beforeEach(() => {
  channels = [];
  closeOthers = [];
  // Open channels would keep Node running.
  class Unheld extends BroadcastChannel {
    constructor(name: string) {
      super(name);
      channels.push(this);
    }
  }
  vi.stubGlobal('BroadcastChannel', Unheld);
});
afterEach(async () => {
  vi.useRealTimers();
  // The last holder never releases the lock.
  await navigator.locks.request(NAME, { steal: true }, () => {});
  for (const channel of channels) channel.close();
  for (const close of closeOthers) close();
  vi.unstubAllGlobals();
});

/** @param stop what it must finish before releasing */
function tab(stop = async () => {}): Tab {
  const [busy, lost] = [vi.fn(), vi.fn()];
  const onLost = async () => {
    lost();
    await stop();
  };
  return { lock: createTabLock(onLost), busy, lost };
}

/** A page that holds the lock until it is closed. */
async function another(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  closeOthers.push(resolve);
  await new Promise<void>((had) => {
    const held = navigator.locks.request(NAME, () => {
      had();
      return promise;
    });
    // It may be stolen.
    held.catch(() => {});
  });
  return resolve;
}

test('acquires a free lock immediately', async () => {
  const one = tab();
  expect(await one.lock.wait(one.busy)).toBe(true);
  expect(one.busy).not.toHaveBeenCalled();
});

test('reports waiting only if the holder does not release the lock soon', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const close = await another();
  const one = tab();
  const had = one.lock.wait(one.busy);
  await vi.advanceTimersByTimeAsync(900);
  expect(one.busy).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(one.busy).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(3_600_000);
  close();
  expect(await had).toBe(true);
  expect(one.busy).toHaveBeenCalledOnce();
});

test('releases the lock on request, and grants it to the requesting tab before waiting ones', async () => {
  let waited = Promise.resolve(true);
  const first = tab(async () => void (await waited));
  const [second, third] = [tab(), tab()];
  expect(await first.lock.wait(first.busy)).toBe(true);
  waited = second.lock.wait(second.busy);
  expect(await third.lock.take()).toBe(true);
  expect(await waited).toBe(false);
  expect(second.busy).toHaveBeenCalled();
  expect(first.lost).toHaveBeenCalledOnce();
  expect(third.lost).not.toHaveBeenCalled();
  // A waiting tab may request it as well.
  expect(await second.lock.take()).toBe(true);
  expect(third.lost).toHaveBeenCalledOnce();
});

test('steals the lock from an unresponsive tab', async () => {
  await another();
  const one = tab();
  expect(await one.lock.take()).toBe(true);
});

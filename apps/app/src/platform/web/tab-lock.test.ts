import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTabLock, type TabLock } from './tab-lock.ts';

const NAME = 'linnet-lead';
type Tab = { readonly lock: TabLock; readonly onBusy: () => void; readonly onLost: () => void };

let channels: BroadcastChannel[];
let closeOtherPages: (() => void)[];

beforeEach(() => {
  channels = [];
  closeOtherPages = [];
  // Close all channels after each test, because open channels would keep Node running.
  class TrackedChannel extends BroadcastChannel {
    constructor(name: string) {
      super(name);
      channels.push(this);
    }
  }
  vi.stubGlobal('BroadcastChannel', TrackedChannel);
});
afterEach(async () => {
  vi.useRealTimers();
  // Take the lock from its last holder, which doesn't release it.
  await navigator.locks.request(NAME, { steal: true }, () => {});
  for (const channel of channels) channel.close();
  for (const close of closeOtherPages) close();
  vi.unstubAllGlobals();
});

/** @param stop called before the tab releases the lock */
function createTab(stop = async () => {}): Tab {
  const [onBusy, onLost] = [vi.fn(), vi.fn()];
  const lock = createTabLock(async () => {
    onLost();
    await stop();
  });
  return { lock, onBusy, onLost };
}

/**
 * Opens a page that holds the lock until it is closed.
 * @returns a function that closes the page
 */
async function openOtherPage(): Promise<() => void> {
  const closed = Promise.withResolvers<void>();
  closeOtherPages.push(closed.resolve);
  await new Promise<void>((onGranted) => {
    const request = navigator.locks.request(NAME, () => {
      onGranted();
      return closed.promise;
    });
    // The request rejects if the lock is stolen.
    request.catch(() => {});
  });
  return closed.resolve;
}

test('acquires a free lock immediately', async () => {
  const tab = createTab();
  expect(await tab.lock.wait(tab.onBusy)).toBe(true);
  expect(tab.onBusy).not.toHaveBeenCalled();
});

test('reports waiting only if the holder does not release the lock soon', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const close = await openOtherPage();
  const tab = createTab();
  const acquisition = tab.lock.wait(tab.onBusy);
  await vi.advanceTimersByTimeAsync(900);
  expect(tab.onBusy).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(tab.onBusy).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(3_600_000);
  close();
  expect(await acquisition).toBe(true);
  expect(tab.onBusy).toHaveBeenCalledOnce();
});

test('grants the lock to the tab that takes it rather than to a waiting tab', async () => {
  let secondWait = Promise.resolve(true);
  const first = createTab(async () => void (await secondWait));
  const [secondTab, thirdTab] = [createTab(), createTab()];
  expect(await first.lock.wait(first.onBusy)).toBe(true);
  secondWait = secondTab.lock.wait(secondTab.onBusy);
  expect(await thirdTab.lock.take()).toBe(true);
  expect(await secondWait).toBe(false);
  expect(secondTab.onBusy).toHaveBeenCalled();
  expect(first.onLost).toHaveBeenCalledOnce();
  expect(thirdTab.onLost).not.toHaveBeenCalled();
  // A tab that has stopped waiting can still take the lock.
  expect(await secondTab.lock.take()).toBe(true);
  expect(thirdTab.onLost).toHaveBeenCalledOnce();
});

test('steals the lock from an unresponsive tab', async () => {
  await openOtherPage();
  const tab = createTab();
  expect(await tab.lock.take()).toBe(true);
});

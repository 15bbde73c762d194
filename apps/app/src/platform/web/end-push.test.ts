import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endPush } from './end-push.ts';
import { createBrowserPush } from './push.ts';

/** A browser's registration, whose subscription ends only when the test says so. */
function startBrowser() {
  const browser = {
    subscription: null as object | null,
    shown: ['Transcript ready'],
    events: [] as string[],
    endNow: () => {},
  };
  const ended = new Promise<void>((resolve) => {
    browser.endNow = resolve;
  });
  let count = 0;
  const subscribe = async () => {
    count += 1;
    const endpoint = `https://push/${count}`;
    browser.events.push(`subscribed ${endpoint}`);
    browser.subscription = {
      endpoint,
      options: { applicationServerKey: null },
      getKey: () => null,
      async unsubscribe() {
        await ended;
        browser.events.push(`ended ${endpoint}`);
        browser.subscription = null;
      },
    };
    return browser.subscription;
  };
  const registration = {
    pushManager: { subscribe, getSubscription: async () => browser.subscription },
    getNotifications: async () =>
      browser.shown.map((title) => ({
        close: () => browser.shown.splice(browser.shown.indexOf(title), 1),
      })),
  };
  vi.stubGlobal('window', { PushManager: {}, Notification: {} });
  vi.stubGlobal('navigator', {
    locks: navigator.locks,
    serviceWorker: { getRegistration: async () => registration },
  });
  return browser;
}

let browser: ReturnType<typeof startBrowser>;
beforeEach(() => {
  browser = startBrowser();
});
afterEach(() => vi.unstubAllGlobals());

it('cancels the subscription and removes the notifications shown', async () => {
  await createBrowserPush()?.subscribe('key');
  browser.endNow();
  await endPush();
  expect(browser.subscription).toBeNull();
  expect(browser.shown).toEqual([]);
});

it('does not cancel the subscription of the account that signs in next', async () => {
  const push = createBrowserPush();
  await push?.subscribe('key');
  const ending = endPush();
  const next = push?.subscribe('key');
  browser.endNow();
  await Promise.all([ending, next]);
  expect(browser.events).toEqual([
    ...['subscribed https://push/1', 'ended https://push/1', 'subscribed https://push/2'],
  ]);
  expect(browser.subscription).toMatchObject({ endpoint: 'https://push/2' });
});

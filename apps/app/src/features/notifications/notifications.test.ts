import { codes } from '@linnet/contract/codes';
import { expect, it } from 'vitest';
import type { BrowserPush, BrowserSubscription } from './browser-push.ts';
import { createNotifications } from './notifications.ts';

const serverKey = 'B-server';
const keys = { p256dh: 'B-browser', auth: 'secret' };

/** Creates a server that stores one subscription. */
function createServer() {
  const server = {
    subscription: null as Record<string, unknown> | null,
    calls: [] as string[],
    failure: null as object | null,
    async call(name: string, body: Record<string, unknown>) {
      server.calls.push(name);
      if (server.failure) return { ok: false, failure: server.failure };
      if (name === 'push/subscribe') {
        const { keys: _, ...subscription } = body;
        server.subscription = subscription;
        return { ok: true, data: subscription };
      }
      if (name === 'push/unsubscribe') server.subscription = null;
      return {
        ok: true,
        data:
          name === 'push/get' ? { public_key: serverKey, subscription: server.subscription } : {},
      };
    },
  };
  return server;
}

type FakeBrowser = {
  permission: NotificationPermission;
  subscription: BrowserSubscription | null;
  zone: string;
  isReachable: boolean;
  readonly push: BrowserPush;
};

/** Creates a browser with the user's answer to the permission prompt. */
function createBrowser(answer: NotificationPermission = 'granted'): FakeBrowser {
  let count = 0;
  const browser: FakeBrowser = {
    permission: 'default',
    subscription: null,
    zone: 'Europe/Paris',
    isReachable: true,
    push: {
      kind: 'push',
      permission: () => browser.permission,
      async requestPermission() {
        browser.permission = answer;
        return answer;
      },
      current: async () => browser.subscription,
      async subscribe(key) {
        if (!browser.isReachable) return null;
        if (browser.subscription?.serverKey !== key) {
          count += 1;
          browser.subscription = { endpoint: `https://push/${count}`, keys, serverKey: key };
        }
        return browser.subscription;
      },
      async unsubscribe() {
        browser.subscription = null;
      },
      show: async () => {},
      timeZone: () => browser.zone,
      onTap: () => () => {},
    },
  };
  return browser;
}

function start(answer?: NotificationPermission) {
  const [server, browser] = [createServer(), createBrowser(answer)];
  const service = createNotifications({ call: server.call as never }, browser.push);
  return { server, browser, service };
}
const expectedState = (status: string) => ({ ok: true, data: expect.objectContaining({ status }) });

it('is off by default, and asks for permission only when turned on', async () => {
  const { server, browser, service } = start();
  expect(await service.get()).toEqual(expectedState('off'));
  await service.renew();
  expect(browser.permission).toBe('default');
  expect(await service.turnOn()).toEqual({
    ok: true,
    data: { status: 'on', choices: { events: ['transcript', 'todos'], showsTitles: true } },
  });
  expect(server.subscription).toMatchObject({
    ...{ endpoint: 'https://push/1', time_zone: 'Europe/Paris', shows_titles: true },
  });
});

it.each([
  ['denied', 'blocked'],
  ['default', 'off'],
] as const)('makes no call if the user’s answer is %s', async (answer, status) => {
  const { server, service } = start(answer);
  expect(await service.turnOn()).toEqual(expectedState(status));
  expect(server.calls).toEqual([]);
});

it('changes the choices, and turns notifications off in the browser as well', async () => {
  const { server, browser, service } = start();
  await service.turnOn();
  const choices = { events: ['todos'], showsTitles: false } as const;
  expect(await service.change(choices)).toEqual({ ok: true, data: { status: 'on', choices } });
  expect(await service.get()).toEqual({ ok: true, data: { status: 'on', choices } });
  expect(await service.turnOff()).toEqual(expectedState('off'));
  expect([server.subscription, browser.subscription]).toEqual([null, null]);
});

it('registers again with the same choices if the browser, the server’s key or the time zone has changed', async () => {
  const { server, browser, service } = start();
  await service.turnOn();
  await service.change({ events: ['todos'], showsTitles: false });
  browser.subscription = { endpoint: 'https://push/new', keys, serverKey };
  await service.renew();
  expect(server.subscription).toMatchObject({ endpoint: 'https://push/new', events: ['todos'] });
  browser.subscription = { endpoint: 'https://push/new', keys, serverKey: 'B-former' };
  await service.renew();
  expect(server.subscription).toMatchObject({ endpoint: 'https://push/2', shows_titles: false });
  browser.zone = 'Asia/Tokyo';
  await service.renew();
  expect(server.subscription).toMatchObject({ time_zone: 'Asia/Tokyo' });
  server.calls = [];
  await service.renew();
  expect(server.calls).toEqual(['push/get']);
});

it('does not renew a subscription of another account in the same browser', async () => {
  const { server, browser, service } = start();
  browser.permission = 'granted';
  browser.subscription = { endpoint: 'https://push/other', keys, serverKey };
  await service.renew();
  expect(server.subscription).toBeNull();
  expect(await service.get()).toEqual(expectedState('off'));
});

it('reports an unreachable push service, and an outdated server that lacks the call', async () => {
  const { server, browser, service } = start();
  browser.isReachable = false;
  expect(await service.turnOn()).toEqual({ ok: false, failure: { kind: 'push-service' } });
  const failure = { kind: 'server', code: codes.unknownCall, msg: '' };
  server.failure = failure;
  for (const call of [service.get, service.turnOn, service.turnOff, service.test]) {
    expect(await call()).toEqual({ ok: false, failure });
  }
});

it('is not supported without a push service', async () => {
  const server = createServer();
  const service = createNotifications({ call: server.call as never }, null);
  expect(await service.get()).toEqual(expectedState('unsupported'));
  expect(await service.turnOn()).toEqual(expectedState('unsupported'));
  await service.renew();
  expect(server.calls).toEqual([]);
});

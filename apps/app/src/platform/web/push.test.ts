import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, vi } from 'vitest';
import {
  deviceNotificationsContract,
  type TestDevice,
} from '../../features/testing/device-notifications-contract.ts';
import { createBrowserPush } from './push.ts';

type Options = { readonly tag: string; readonly body: string; readonly data: object };
type Port = { onmessage: ((event: { data: unknown }) => void) | null };

/** A channel whose messages arrive at once. */
class Channel {
  readonly port1: Port = { onmessage: null };
  readonly port2 = { postMessage: (data: unknown) => this.port1.onmessage?.({ data }) };
}

/** A browser with the app's service worker and one open page. */
function openBrowser(): TestDevice {
  const shown = new Map<string, { readonly title: string; readonly options: Options }>();
  const pageListeners = new Set<(event: object) => void>();
  const workerListeners = new Map<string, (event: object) => void>();
  const registration = {
    async showNotification(title: string, options: Options) {
      shown.delete(options.tag);
      shown.set(options.tag, { title, options });
    },
  };
  const page = {
    postMessage(data: object, ports: readonly object[]) {
      for (const listener of pageListeners) listener({ data, ports });
    },
    focus: async () => {},
  };
  const self = {
    registration,
    addEventListener: (type: string, listener: (event: object) => void) =>
      workerListeners.set(type, listener),
    clients: { matchAll: async () => [page], openWindow: async () => {} },
  };
  const script = new URL('../../../public/push.js', import.meta.url);
  const globals = { self, URL, MessageChannel: Channel, setTimeout: setImmediate };
  runInNewContext(readFileSync(script, 'utf8'), globals);

  let answer: NotificationPermission = 'default';
  const notification = {
    permission: 'default' as NotificationPermission,
    async requestPermission() {
      notification.permission = answer;
      return answer;
    },
  };
  vi.stubGlobal('window', { PushManager: {}, Notification: notification });
  vi.stubGlobal('Notification', notification);
  vi.stubGlobal('navigator', {
    serviceWorker: {
      getRegistration: async () => registration,
      addEventListener: (_: string, listener: (event: object) => void) =>
        pageListeners.add(listener),
      removeEventListener: (_: string, listener: (event: object) => void) =>
        pageListeners.delete(listener),
    },
  });
  const notifications = createBrowserPush();
  if (!notifications) throw new Error('the browser has no push service');
  return {
    notifications,
    answer(permission) {
      answer = permission;
    },
    shown: () => [...shown.values()].map(({ title, options: { body } }) => ({ title, body })),
    async tap() {
      const [tag, latest] = [...shown].at(-1) ?? [];
      let done: Promise<unknown> = Promise.resolve();
      workerListeners.get('notificationclick')?.({
        notification: { close: () => shown.delete(tag ?? ''), data: latest?.options.data },
        waitUntil(promise: Promise<unknown>) {
          done = promise;
        },
      });
      await done;
    },
  };
}

afterEach(() => void vi.unstubAllGlobals());

describe('notifications in browsers', () => deviceNotificationsContract(openBrowser));

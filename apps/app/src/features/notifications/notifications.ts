import type { CallData } from '@linnet/contract';
import type { Client } from '@linnet/contract/client';
import { notificationEvents } from '@linnet/contract/notifications';
import type {
  NotificationChoices,
  NotificationsFailure,
  NotificationsState,
} from '../../ports/notifications.ts';
import type { Outcome } from '../../ports/store.ts';
import type { BrowserPush } from './browser-push.ts';
import type { RunningNotifications } from './device-notifications.ts';

type Subscription = NonNullable<CallData<'push/get'>['subscription']>;
type Result = Outcome<NotificationsState, NotificationsFailure>;

const defaultChoices: NotificationChoices = { events: notificationEvents, showsTitles: true };

const createFixedState = (status: 'unsupported' | 'blocked' | 'off'): Result => ({
  ok: true,
  data: { status },
});

/**
 * Creates a browser's notifications, which the server pushes. Renews the subscription if the browser has replaced it
 * while the app was closed.
 * @param push null if this browser has no push service
 */
export function createNotifications(
  client: Pick<Client, 'call'>,
  push: BrowserPush | null,
): RunningNotifications {
  /** Subscribes the browser with the server's key, and registers the subscription on the server. */
  async function register(
    browser: BrowserPush,
    serverKey: string,
    { events, showsTitles }: NotificationChoices,
  ): Promise<Result> {
    const subscription = await browser.subscribe(serverKey);
    if (!subscription) return { ok: false, failure: { kind: 'push-service' } };
    const result = await client.call('push/subscribe', {
      endpoint: subscription.endpoint,
      keys: { ...subscription.keys },
      events: [...events],
      shows_titles: showsTitles,
      time_zone: browser.timeZone(),
    });
    return result.ok ? toState(result.data) : result;
  }

  async function get(): Promise<Result> {
    if (!push) return createFixedState('unsupported');
    const result = await client.call('push/get', {});
    if (!result.ok) return result;
    const { public_key: serverKey, subscription } = result.data;
    if (push.permission() === 'denied') return createFixedState('blocked');
    const current = await push.current();
    if (!subscription || !current || push.permission() !== 'granted')
      return createFixedState('off');
    const isSame =
      current.endpoint === subscription.endpoint &&
      (current.serverKey ?? serverKey) === serverKey &&
      push.timeZone() === subscription.time_zone;
    return isSame ? toState(subscription) : register(push, serverKey, toChoices(subscription));
  }

  /** Registers the subscription with other choices. */
  async function set(choices: NotificationChoices): Promise<Result> {
    if (!push) return createFixedState('unsupported');
    const result = await client.call('push/get', {});
    return result.ok ? register(push, result.data.public_key, choices) : result;
  }

  return {
    place: 'browser',
    get,

    async turnOn() {
      if (!push) return createFixedState('unsupported');
      // Ask before any call, because browsers show the prompt only right after a tap.
      const permission = await push.requestPermission();
      if (permission !== 'granted')
        return createFixedState(permission === 'denied' ? 'blocked' : 'off');
      return set(defaultChoices);
    },

    change: set,

    async turnOff() {
      if (!push) return createFixedState('unsupported');
      const result = await client.call('push/unsubscribe', {});
      if (!result.ok) return result;
      await push.unsubscribe();
      return createFixedState('off');
    },

    async test() {
      const result = await client.call('push/test', {});
      return result.ok ? { ok: true, data: null } : result;
    },

    onTap: (listener) => push?.onTap(listener) ?? (() => {}),

    async renew() {
      if (push?.permission() === 'granted' && (await push.current())) await get();
    },

    // The server detects these changes itself.
    recordsChanged: () => {},
    pageHidden: () => {},
  };
}

const toChoices = ({ events, shows_titles: showsTitles }: Subscription): NotificationChoices => ({
  events,
  showsTitles,
});

const toState = (subscription: Subscription): Result => ({
  ok: true,
  data: { status: 'on', choices: toChoices(subscription) },
});

import type { LocalNotificationSchema } from '@capacitor/local-notifications';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ScheduledNotice } from '../../features/notifications/device-notifications.ts';
import {
  deviceNotificationsContract,
  type TestDevice,
} from '../../features/testing/device-notifications-contract.ts';
import {
  clearNotifications,
  createPhoneNotifications,
  type NotificationsPlugin,
} from './notifications.ts';

type PhonePlatform = 'android' | 'ios';

/** A phone with the plugin's behavior on a platform. */
function openPhone(platform: PhonePlatform = 'android') {
  const phone = {
    permission: 'prompt' as 'prompt' | 'granted' | 'denied',
    answer: 'denied' as 'granted' | 'denied',
    pending: new Map<number, LocalNotificationSchema>(),
    shown: new Map<number, LocalNotificationSchema>(),
    /** The taps before the first listener, which the plugin keeps. */
    taps: [] as LocalNotificationSchema[],
    listeners: new Set<(event: { notification: LocalNotificationSchema }) => void>(),
    resume: () => {},
    channels: [] as string[],
    errors: [] as unknown[],
  };
  const plugin: NotificationsPlugin = {
    checkPermissions: async () => ({ display: phone.permission }),
    async requestPermissions() {
      if (phone.permission === 'prompt') phone.permission = phone.answer;
      return { display: phone.permission };
    },
    async createChannel({ id }) {
      if (platform === 'ios') throw Object.assign(new Error(), { code: 'UNIMPLEMENTED' });
      phone.channels.push(id);
    },
    async schedule({ notifications }) {
      for (const notification of notifications) {
        const { id, schedule, channelId = '' } = notification;
        if (platform === 'android' && !phone.channels.includes(channelId)) {
          throw new Error(`no channel: ${channelId}`);
        }
        if (notification.isExactNotification !== false) throw new Error('opens the settings');
        phone.shown.delete(id);
        phone.pending.delete(id);
        const list = schedule?.at && schedule.at > new Date() ? phone.pending : phone.shown;
        list.set(id, notification);
      }
      return { notifications: [...notifications] };
    },
    getPending: async () => ({
      notifications: [...phone.pending.values()].map(({ id, title, body, extra }) => ({
        ...{ id, title, body, extra },
      })),
    }),
    async cancel({ notifications }) {
      for (const { id } of notifications) phone.pending.delete(id);
    },
    removeAllDeliveredNotifications: async () => phone.shown.clear(),
    addListener: (async (_event: string, listener: never) => {
      phone.listeners.add(listener);
      for (const notification of phone.taps.splice(0)) tell(notification);
      return { remove: async () => void phone.listeners.delete(listener) };
    }) as NotificationsPlugin['addListener'],
  };
  const tell = (notification: LocalNotificationSchema) => {
    for (const listener of phone.listeners) {
      (listener as (event: object) => void)({ actionId: 'tap', notification });
    }
  };
  const create = () =>
    createPhoneNotifications({
      ...{ platform, plugin, channelName: () => 'Notifications' },
      onError: (error) => phone.errors.push(error),
      app: {
        addListener: (async (_event: string, listener: () => void) => {
          phone.resume = listener;
          return { remove: async () => {} };
        }) as never,
      },
    });
  const tap = async () => {
    const [id, notification] = [...phone.shown].at(-1) ?? [];
    if (id === undefined || !notification) throw new Error('nothing is shown');
    phone.shown.delete(id);
    if (phone.listeners.size === 0) phone.taps.push(notification);
    else tell(notification);
  };
  return { phone, plugin, create, tap };
}

async function openDevice(platform: PhonePlatform): Promise<TestDevice> {
  const { phone, create, tap } = openPhone(platform);
  return {
    notifications: await create(),
    answer(permission) {
      phone.answer = permission;
    },
    shown: () => [...phone.shown.values()].map(({ title, body }) => ({ title, body })),
    tap,
  };
}

describe.each(['android', 'ios'] as const)('notifications on %s', (platform) => {
  deviceNotificationsContract(() => openDevice(platform));

  it('make a sound', async () => {
    const { phone, create } = openPhone(platform);
    const notifications = await create();
    await notifications.show({
      ...{ tag: 'a', title: 'First', body: '', lang: 'en', dir: 'ltr', path: '/pages/files' },
    });
    const [{ sound } = {}] = phone.shown.values();
    // Android's channel has the sound.
    expect(sound !== undefined).toBe(platform === 'ios');
    expect(phone.channels).toEqual(platform === 'ios' ? [] : ['notices']);
  });
});

describe('scheduled notifications', () => {
  beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-21T07:00:00Z') }));
  afterEach(() => void vi.useRealTimers());

  const createScheduledNotice = (tag: string, at: string): ScheduledNotice => ({
    ...{ tag, title: tag, body: '', lang: 'en', dir: 'ltr', path: '/' },
    at: new Date(at),
  });
  const titles = (list: ReadonlyMap<number, LocalNotificationSchema>) =>
    [...list.values()].map(({ title }) => title);

  it('replace the previous notifications, and cancel those that aren’t scheduled again', async () => {
    const { phone, create } = openPhone();
    const notifications = await create();
    const first = createScheduledNotice('first', '2026-11-21T08:00:00Z');
    await notifications.schedule([first, createScheduledNotice('second', '2026-11-22T08:00:00Z')]);
    expect(titles(phone.pending)).toEqual(['first', 'second']);
    await notifications.schedule([first, createScheduledNotice('third', '2026-11-23T08:00:00Z')]);
    expect(titles(phone.pending)).toEqual(['first', 'third']);
    await notifications.schedule([]);
    expect(titles(phone.pending)).toEqual([]);
  });

  it('may be shown late, unless all are canceled', async () => {
    const { phone, create } = openPhone();
    const notifications = await create();
    await notifications.schedule([
      createScheduledNotice('today', '2026-11-21T08:00:00Z'),
      createScheduledNotice('tomorrow', '2026-11-22T08:00:00Z'),
    ]);
    vi.setSystemTime(new Date('2026-11-21T08:05:00Z'));
    await notifications.schedule([createScheduledNotice('later', '2026-11-23T08:00:00Z')]);
    expect(titles(phone.pending)).toEqual(['today', 'later']);
    await notifications.cancelScheduled();
    expect(titles(phone.pending)).toEqual([]);
  });

  it('disappear with the shown ones at the end of a session', async () => {
    const { phone, plugin, create } = openPhone();
    const notifications = await create();
    await notifications.schedule([createScheduledNotice('later', '2026-11-22T08:00:00Z')]);
    await notifications.show(createScheduledNotice('now', '2026-11-21T07:00:00Z'));
    expect([titles(phone.pending), titles(phone.shown)]).toEqual([['later'], ['now']]);
    await clearNotifications(plugin);
    expect([titles(phone.pending), titles(phone.shown)]).toEqual([[], []]);
  });

  it('disappear even if the session ends before they are scheduled or shown', async () => {
    const { phone, plugin, create } = openPhone();
    const notifications = await create();
    const calls = [
      notifications.schedule([createScheduledNotice('later', '2026-11-22T08:00:00Z')]),
      notifications.show(createScheduledNotice('now', '2026-11-21T07:00:00Z')),
      clearNotifications(plugin),
    ];
    await Promise.all(calls);
    expect(phone.channels).not.toEqual([]);
    expect([titles(phone.pending), titles(phone.shown)]).toEqual([[], []]);
  });
});

it('reads the permission at the start, and again when the user returns from the settings', async () => {
  const { phone, create } = openPhone();
  phone.permission = 'granted';
  const notifications = await create();
  expect(notifications.permission()).toBe('granted');
  phone.permission = 'denied';
  phone.resume();
  await vi.waitFor(() => expect(notifications.permission()).toBe('denied'));
  phone.permission = 'granted';
  expect(await notifications.readPermission()).toBe('granted');
  expect(notifications.permission()).toBe('granted');
  expect(phone.errors).toEqual([]);
});

it('opens the page of a notification that started the app', async () => {
  const { phone, create, tap } = openPhone();
  const before = await create();
  await before.show({
    ...{ tag: 'a', title: 'First', body: '', lang: 'en', dir: 'ltr', path: '/pages/files' },
  });
  await tap();
  const opened: string[] = [];
  (await create()).onTap((path) => opened.push(path));
  expect(opened).toEqual(['/pages/files']);
  expect(phone.errors).toEqual([]);
});

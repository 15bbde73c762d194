import { App, type AppPlugin } from '@capacitor/app';
import type { PermissionState } from '@capacitor/core';
import {
  type LocalNotificationSchema,
  LocalNotifications,
  type LocalNotificationsPlugin,
} from '@capacitor/local-notifications';
import { fnvOf, Mutex } from '@linnet/base';
import type {
  PhoneNotifications,
  ShownNotice,
} from '../../features/notifications/device-notifications.ts';

/** The methods of the plugin that this adapter calls. */
export type NotificationsPlugin = Pick<
  LocalNotificationsPlugin,
  | 'schedule'
  | 'getPending'
  | 'cancel'
  | 'removeAllDeliveredNotifications'
  | 'createChannel'
  | 'checkPermissions'
  | 'requestPermissions'
  | 'addListener'
>;

/** The channel in Android's settings, where the user can silence the notifications. */
const channelId = 'notices';
/** Android's default importance: the notification makes a sound, but doesn't cover the screen. */
const defaultImportance = 3;

/**
 * The name of a sound that doesn't exist, so iOS plays its default sound. Without a name, the plugin shows the
 * notification silently on iOS. On Android, the channel determines the sound.
 */
const defaultSound = 'default';

/** Keeps calls in order, so that clearing also clears what earlier calls are about to show or schedule. */
const mutex = new Mutex();

const permissions: Readonly<Record<PermissionState, NotificationPermission>> = {
  granted: 'granted',
  denied: 'denied',
  prompt: 'default',
  'prompt-with-rationale': 'default',
};

type PhoneNotificationsOptions = {
  /** The plugin rejects channels on iOS, which has none. */
  readonly platform: 'android' | 'ios';
  /** Returns the channel's name in Android's settings. */
  readonly channelName: () => string;
  readonly onError: (error: unknown) => void;
  readonly plugin?: NotificationsPlugin;
  readonly app?: Pick<AppPlugin, 'addListener'>;
};

/**
 * Creates the phone's notifications. Scheduled ones may be late, because exact alarms require a permission that the user
 * has to grant in Android's settings.
 */
export async function createPhoneNotifications({
  platform,
  channelName,
  onError,
  plugin = LocalNotifications,
  app = App,
}: PhoneNotificationsOptions): Promise<PhoneNotifications> {
  /** The last known permission, which the user may change in the settings while the app is in the background. */
  let permission: NotificationPermission = 'default';
  const readPermission = async () => {
    permission = permissions[(await plugin.checkPermissions()).display];
    return permission;
  };
  await readPermission().catch(onError);
  app.addListener('resume', () => void readPermission().catch(onError)).catch(onError);
  async function show(notifications: readonly LocalNotificationSchema[]): Promise<void> {
    if (notifications.length === 0) return;
    if (platform === 'ios') {
      await plugin.schedule({
        notifications: notifications.map((notification) => ({
          ...notification,
          sound: defaultSound,
        })),
      });
      return;
    }
    // If the channel already exists, only its name is updated, to the current language.
    await plugin.createChannel({
      id: channelId,
      name: channelName(),
      importance: defaultImportance,
      visibility: 0,
    });
    await plugin.schedule({ notifications: [...notifications] });
  }

  return {
    kind: 'phone',
    permission: () => permission,
    readPermission,

    async requestPermission() {
      permission = permissions[(await plugin.requestPermissions()).display];
      return permission;
    },

    show: (notice) => mutex.run(() => show([toNotification(notice)])),

    schedule: (notices) =>
      mutex.run(async () => {
        const notifications = notices.map(({ at, ...notice }) => ({
          ...toNotification(notice, at),
          schedule: { at, allowWhileIdle: true },
        }));
        const ids = new Set(notifications.map(({ id }) => id));
        const pendingNotices = await plugin.getPending();
        await cancel(
          plugin,
          pendingNotices.notifications.filter(
            (notice) => !ids.has(notice.id) && !isOverdue(notice),
          ),
        );
        await show(notifications);
      }),

    cancelScheduled: () =>
      mutex.run(async () => cancel(plugin, (await plugin.getPending()).notifications)),

    onTap(listener) {
      // Taps on notifications that started the app are delivered to the first listener.
      const added = plugin.addListener('localNotificationActionPerformed', ({ notification }) => {
        const path = getPath(notification);
        if (path !== null) listener(path);
      });
      added.catch(onError);
      return () => void added.then((handle) => handle.remove()).catch(onError);
    },
  };
}

/** Cancels the scheduled notifications, and removes the shown ones, after all earlier calls. */
export const clearNotifications = (
  plugin: NotificationsPlugin = LocalNotifications,
): Promise<void> =>
  mutex.run(async () => {
    await cancel(plugin, (await plugin.getPending()).notifications);
    await plugin.removeAllDeliveredNotifications();
  });

async function cancel(
  plugin: NotificationsPlugin,
  notifications: readonly { readonly id: number }[],
): Promise<void> {
  if (notifications.length === 0) return;
  await plugin.cancel({ notifications: notifications.map(({ id }) => ({ id })) });
}

/** @param at when the notification is shown, if it's scheduled */
const toNotification = (
  { title, body, path, tag }: ShownNotice,
  at?: Date,
): LocalNotificationSchema => ({
  id: hash(tag),
  title,
  body,
  // Android shows a single line of `body`.
  largeBody: body,
  channelId,
  autoCancel: true,
  // By default, the plugin opens Android's settings for exact alarms.
  isExactNotification: false,
  extra: { path, at: at?.getTime() },
});

/**
 * Returns whether a pending notification's time has passed. The plugin's own time can't be parsed reliably on Android,
 * where its format depends on the phone's time zone.
 */
function isOverdue({ extra }: Pick<LocalNotificationSchema, 'extra'>): boolean {
  const time: unknown = extra?.at;
  return typeof time === 'number' && time <= Date.now();
}

/** Returns the path that a notification carries, or null if it isn't ours. */
function getPath({ extra }: LocalNotificationSchema): string | null {
  const path: unknown = extra?.path;
  return typeof path === 'string' ? path : null;
}

/** Returns the hash of a tag as a positive 32-bit integer, as Android requires. */
const hash = (tag: string) => fnvOf(tag) & 0x7fffffff;

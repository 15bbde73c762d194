import { expect, it } from 'vitest';
import type { DeviceNotifications, ShownNotice } from '../notifications/device-notifications.ts';

/** A device whose user can be asked for permission, and whose screen shows notifications. */
export type TestDevice = {
  readonly notifications: DeviceNotifications;
  /** Sets the user's answer to the permission prompt. */
  answer(permission: 'granted' | 'denied'): void;
  /** Returns the notifications on the screen, oldest first. */
  shown(): readonly { readonly title: string; readonly body: string }[];
  /** Taps the latest notification. */
  tap(): Promise<void>;
};

const notice = (tag: string, title: string): ShownNotice => ({
  ...{ tag, title, body: `${title}.`, lang: 'en', dir: 'ltr' },
  path: `/pages/fileDetail?id=${tag}`,
});

/** Tests that {@link DeviceNotifications} fulfill their contract. Each test opens a new device. */
export function deviceNotificationsContract(open: () => TestDevice | Promise<TestDevice>): void {
  it.each(['granted', 'denied'] as const)(
    'asks only when requested, and remembers the answer %s',
    async (permission) => {
      const device = await open();
      device.answer(permission);
      expect(device.notifications.permission()).toBe('default');
      expect(await device.notifications.requestPermission()).toBe(permission);
      expect(device.notifications.permission()).toBe(permission);
    },
  );

  it('shows notifications, and replaces the one with the same tag', async () => {
    const device = await open();
    device.answer('granted');
    await device.notifications.requestPermission();
    await device.notifications.show(notice('a', 'First'));
    await device.notifications.show(notice('b', 'Second'));
    await device.notifications.show(notice('a', 'Third'));
    expect(device.shown()).toEqual([
      { title: 'Second', body: 'Second.' },
      { title: 'Third', body: 'Third.' },
    ]);
  });

  it('tells listeners which page a tapped notification opens, until they are removed', async () => {
    const device = await open();
    device.answer('granted');
    await device.notifications.requestPermission();
    const opened: string[] = [];
    const remove = device.notifications.onTap((path) => opened.push(path));
    await device.notifications.show(notice('a', 'First'));
    await device.tap();
    expect(opened).toEqual(['/pages/fileDetail?id=a']);
    remove();
    await device.notifications.show(notice('b', 'Second'));
    await device.tap();
    expect(opened).toHaveLength(1);
  });
}

/** Turns off this browser's notifications without calling the server, which may be unreachable. */

/** Name of the Web Lock that serializes changes to the push subscription. */
const lockName = 'linnet-push';

export const withPushLock = <Result>(change: () => Promise<Result>): Promise<Result> =>
  navigator.locks.request(lockName, change);

/** Returns whether the browser supports push messages and notifications. */
export const supportsPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Cancels the subscription and removes the notifications from the screen. */
export async function endPush(): Promise<void> {
  if (!supportsPush()) return;
  await withPushLock(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    if (!registration) return;
    try {
      await (await registration.pushManager.getSubscription())?.unsubscribe();
    } finally {
      for (const notification of await registration.getNotifications()) notification.close();
    }
  });
}

/** Ends this browser's notifications without the server, which may be out of reach. */

/** The Web Lock under which the subscription changes, so that each change follows the ones requested before. */
const lockName = 'linnet-push';

export const inPushLock = <Result>(change: () => Promise<Result>): Promise<Result> =>
  navigator.locks.request(lockName, change);

/** Returns whether the browser has push messages and notifications. */
export const supportsPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Ends the subscription, and removes the notifications from the screen. */
export async function endPush(): Promise<void> {
  if (!supportsPush()) return;
  await inPushLock(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    if (!registration) return;
    try {
      await (await registration.pushManager.getSubscription())?.unsubscribe();
    } finally {
      for (const notification of await registration.getNotifications()) notification.close();
    }
  });
}

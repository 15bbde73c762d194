import type { DeviceNotifications } from './device-notifications.ts';

/** A browser's push subscription. */
export type BrowserSubscription = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
  /** The key of the server that may send messages, in base64url; null if the browser doesn't report it. */
  readonly serverKey: string | null;
};

/** The browser's side of notifications. `show` rejects without a service worker, as in development. */
export type BrowserPush = DeviceNotifications & {
  readonly kind: 'push';
  /** Returns the current subscription, or null without one. */
  current(): Promise<BrowserSubscription | null>;
  /**
   * Subscribes, replacing a subscription for another server.
   * @returns null if the push service can't be reached
   */
  subscribe(serverKey: string): Promise<BrowserSubscription | null>;
  unsubscribe(): Promise<void>;
  /** Returns the IANA time zone. */
  timeZone(): string;
};

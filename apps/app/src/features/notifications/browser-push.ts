import type { NoticeText } from '../../ports/recorder-space-notices.ts';

/** A browser's push subscription. */
export type BrowserSubscription = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
  /** The key of the server that may send messages, in base64url; null if the browser doesn't report it. */
  readonly serverKey: string | null;
};

/** A notification shown by the app without a push message. Replaces one with the same tag. */
export type ShownNotice = NoticeText & { readonly tag: string };

/** The browser's side of notifications. */
export type BrowserPush = {
  permission(): NotificationPermission;
  /** Asks the user, unless they have already answered. */
  requestPermission(): Promise<NotificationPermission>;
  /** Returns the current subscription, or null without one. */
  current(): Promise<BrowserSubscription | null>;
  /**
   * Subscribes, replacing a subscription for another server.
   * @returns null if the push service can't be reached
   */
  subscribe(serverKey: string): Promise<BrowserSubscription | null>;
  unsubscribe(): Promise<void>;
  /** Shows a notification without a push message. Does nothing without a service worker, as in development. */
  show(notice: ShownNotice): Promise<void>;
  /** Returns the IANA time zone. */
  timeZone(): string;
  /**
   * Registers a listener for taps on notifications.
   * @returns a function that removes it
   */
  onTap(listener: (path: string) => void): () => void;
};

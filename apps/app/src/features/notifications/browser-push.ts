import type { NoticeText } from '../../ports/recorder-space-notices.ts';

/** A browser's push subscription. */
export type BrowserSubscription = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
  /** The key of the server that may send messages, in base64url; null if the browser doesn't tell. */
  readonly serverKey: string | null;
};

/** A notification that the app shows itself. It replaces one with the same tag. */
export type ShownNotice = NoticeText & { readonly tag: string };

/** The browser's side of notifications. */
export type BrowserPush = {
  permission(): NotificationPermission;
  /** Asks the user, unless the user has answered already. */
  requestPermission(): Promise<NotificationPermission>;
  /** Returns the current subscription; null if there is none. */
  current(): Promise<BrowserSubscription | null>;
  /**
   * Subscribes, and replaces a subscription for another server.
   * @returns null if the push service can't be reached
   */
  subscribe(serverKey: string): Promise<BrowserSubscription | null>;
  unsubscribe(): Promise<void>;
  /** Shows a notification without a push message. Without a service worker, as in development, nothing happens. */
  show(notice: ShownNotice): Promise<void>;
  /** Returns the IANA time zone. */
  timeZone(): string;
  /**
   * Registers a listener for taps on notifications.
   * @returns a function that removes it
   */
  onTap(listener: (path: string) => void): () => void;
};

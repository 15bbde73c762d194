import type { NotificationsService } from '../../ports/notifications.ts';
import type { NoticeText } from '../../ports/recorder-space-notices.ts';

/** A notification that the app shows. It replaces one with the same tag. */
export type ShownNotice = NoticeText & { readonly tag: string };

/** A notification to show later, even while the app is closed. */
export type ScheduledNotice = ShownNotice & { readonly at: Date };

/** Notifications that the app shows on this device, without a push service. */
export type DeviceNotifications = {
  permission(): NotificationPermission;
  /** Asks the user, unless the user has answered already. */
  requestPermission(): Promise<NotificationPermission>;
  /** Shows a notification now. */
  show(notice: ShownNotice): Promise<void>;
  /**
   * Registers a listener for taps on notifications, which is called with the path of the page to open.
   * @returns a function that removes it
   */
  onTap(listener: (path: string) => void): () => void;
};

/**
 * A phone's notifications, which the system also shows later. Calls take effect in order. A sign-out clears the device in
 * the same order, so the caller checks the account directly before each call.
 */
export type PhoneNotifications = DeviceNotifications & {
  readonly kind: 'phone';
  /** Reads the permission again, which the user may have changed in the settings. */
  readPermission(): Promise<NotificationPermission>;
  /** Replaces the scheduled notifications. One whose time has passed stays, because the system may show it late. */
  schedule(notices: readonly ScheduledNotice[]): Promise<void>;
  /** Cancels all scheduled notifications. */
  cancelScheduled(): Promise<void>;
};

/** The notifications service, and what the app has to report to it. */
export type RunningNotifications = NotificationsService & {
  /** Brings this device's notifications up to date after the services have started. */
  renew(): Promise<void>;
  recordsChanged(): void;
  pageHidden(): void;
};

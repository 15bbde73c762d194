import type { CallFailure } from '@linnet/contract/client';
import type { NotificationEvent } from '@linnet/contract/notifications';
import type { Outcome } from './store.ts';

/** The events that cause notifications on this device. */
export type NotificationChoices = {
  readonly events: readonly NotificationEvent[];
  /** Whether notifications contain names of recordings and texts of to-dos. */
  readonly showsTitles: boolean;
};

/** Whether this device shows notifications. `blocked` is the user's choice in the settings of the browser or phone. */
export type NotificationsState =
  | { readonly status: 'unsupported' | 'blocked' | 'off' }
  | { readonly status: 'on'; readonly choices: NotificationChoices };

/**
 * Why notifications couldn't be changed or shown.
 *
 * - `push-service`: the browser's push service can't be reached.
 * - `device`: the phone refused the request or failed.
 * - `not-stored`: the choices couldn't be stored, so the previous ones remain.
 */
export type NotificationsFailure =
  | CallFailure
  | { readonly kind: 'push-service' | 'device' | 'not-stored' };

type Result<T> = Promise<Outcome<T, NotificationsFailure>>;

/**
 * Notifications on this device. A browser receives them from the server, even while the app is closed, and its calls need
 * a connection. A phone app shows them itself: to-dos even while it is closed, transcripts only while it is running.
 */
export type NotificationsService = {
  readonly place: 'browser' | 'phone';
  /** Reads the state, and renews a subscription that the browser has replaced. */
  get(): Result<NotificationsState>;
  /** Asks the user for permission, so call it only on a tap. All events are on at first. */
  turnOn(): Result<NotificationsState>;
  /** Changes the events. */
  change(choices: NotificationChoices): Result<NotificationsState>;
  turnOff(): Result<NotificationsState>;
  /** Requests a notification. */
  test(): Result<null>;
  /**
   * Registers a listener for taps on notifications while the app is open.
   * @returns a function that removes it
   */
  onTap(listener: (path: string) => void): () => void;
};

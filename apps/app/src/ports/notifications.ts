import type { CallFailure } from '@linnet/contract/client';
import type { NotificationEvent } from '@linnet/contract/notifications';
import type { Outcome } from './store.ts';

/** The events that cause notifications in this browser. */
export type NotificationChoices = {
  readonly events: readonly NotificationEvent[];
  /** Whether notifications contain names of recordings and texts of to-dos. */
  readonly showsTitles: boolean;
};

/** Whether this browser receives notifications. `blocked` is the user's choice in the browser's settings. */
export type NotificationsState =
  | { readonly status: 'unsupported' | 'blocked' | 'off' }
  | { readonly status: 'on'; readonly choices: NotificationChoices };

/** A failed call, or an unreachable push service. */
export type NotificationsFailure = CallFailure | { readonly kind: 'push-service' };

type Result<T> = Promise<Outcome<T, NotificationsFailure>>;

/** Notifications in this browser, which arrive even while the app is closed. Calls need a connection. */
export type NotificationsService = {
  /** Returns the state, and renews a subscription that the browser has replaced. */
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

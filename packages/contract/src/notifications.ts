/** The notification types. This module imports nothing, because the app loads it to offer the events. */

/** The events that a user can be notified of: a transcript is ready, or to-dos are due today. */
export const notificationEvents = ['transcript', 'todos'] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

/** The kind of the notification sent to test a subscription. */
export const notificationTest = 'test';
export type NotificationKind = NotificationEvent | typeof notificationTest;

/** The local hour from which users are notified of to-dos due on the same day. */
export const todosHour = 8;

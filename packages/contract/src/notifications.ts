/** The closed sets of notifications. Imports nothing, because the app offers the events. */

/** The events that an owner can be notified of: a transcript is ready, and to-dos are due today. */
export const notificationEvents = ['transcript', 'todos'] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

/** The kind of a notification that was requested to test a subscription. */
export const notificationTest = 'test';
export type NotificationKind = NotificationEvent | typeof notificationTest;

/** The local hour from which an owner is notified of to-dos that are due on the same day. */
export const todosHour = 8;

import { callsOf } from './groups.ts';

const call = callsOf('notifications');

export const notificationCalls = {
  'push/get': call(
    'pushGet',
    'Get the push subscription',
    "Returns the server's VAPID key, and the subscription of the caller's session; null if there is none.",
  ),
  'push/subscribe': call(
    'pushSubscribe',
    'Subscribe to notifications',
    "Registers the browser's push subscription for the caller's session, and replaces a former one. It ends with the session. An account has at most 50.",
  ),
  'push/unsubscribe': call(
    'pushUnsubscribe',
    'Unsubscribe from notifications',
    "Deletes the push subscription of the caller's session.",
  ),
  'push/test': call(
    'pushTest',
    'Test the push subscription',
    "Sends a notification to the subscription of the caller's session.",
  ),
  'mail/get': call(
    'mailGet',
    'Get the notification mails',
    "Returns the events that are mailed to the account's address. All are off at first.",
  ),
  'mail/set': call(
    'mailSet',
    'Change the notification mails',
    'Replaces the events that are mailed. Transcripts are gathered: at most one mail an hour lists the times of the recordings whose transcripts have become ready. To-dos are mailed in the morning of the time zone. Mails contain neither the names of recordings nor any of their text.',
  ),
};

import { createCallGroup } from './groups.ts';

const call = createCallGroup('notifications');

export const notificationCalls = {
  'push/get': call(
    'pushGet',
    'Get the push subscription',
    "Returns the server's VAPID key and the session's subscription, or null if it has none.",
  ),
  'push/subscribe': call(
    'pushSubscribe',
    'Subscribe to notifications',
    "Registers the browser's push subscription for the session, replacing any earlier one. The subscription ends with the session. An account can have up to 50.",
  ),
  'push/unsubscribe': call(
    'pushUnsubscribe',
    'Unsubscribe from notifications',
    "Deletes the session's push subscription.",
  ),
  'push/test': call(
    'pushTest',
    'Test the push subscription',
    "Sends a notification to the session's subscription.",
  ),
  'mail/get': call(
    'mailGet',
    'Get the email notifications',
    "Returns the events that trigger an email to the account's address. All are off by default.",
  ),
  'mail/set': call(
    'mailSet',
    'Change the email notifications',
    "Replaces the set of events that trigger an email. Transcript emails are batched: at most one per hour, listing the times of the newly transcribed recordings. To-do emails are sent in the morning in the given time zone. Emails never contain a recording's name or text.",
  ),
};

import { z } from 'zod';
import { notificationEvents, notificationTimeZone } from './push.ts';

const events = notificationEvents.describe(
  'The events that trigger an email. All are off by default.',
);

const choices = z
  .object({
    available: z.boolean().describe('Whether the server can send email.'),
    email: z.string().describe("The account's address, which the emails are sent to."),
    events,
  })
  .meta({ id: 'NotificationMails', description: "An account's email notifications." });

export const get = { body: z.object({}), data: choices };

/** Replaces the set of events that trigger an email. */
export const set = {
  body: z.object({ events, time_zone: notificationTimeZone }),
  data: choices,
};

import { z } from 'zod';
import { notificationEvents, notificationTimeZone } from './push.ts';

const events = notificationEvents.describe('The events that are mailed. All are off at first.');

const choices = z
  .object({
    available: z.boolean().describe('Whether the server can send mail.'),
    email: z.string().describe('The address of the account, to which they are sent.'),
    events,
  })
  .meta({ id: 'NotificationMails', description: 'The notification mails of an account.' });

export const get = { body: z.object({}), data: choices };

/** Replaces the events that are mailed. */
export const set = {
  body: z.object({ events, time_zone: notificationTimeZone }),
  data: choices,
};

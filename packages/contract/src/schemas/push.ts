import { z } from 'zod';
import { limits } from '../limits.ts';
import { notificationEvents as eventNames } from '../notifications.ts';
import { time } from './common.ts';

const endpoint = z
  .string()
  .min(1)
  .max(limits.push.endpointMaxLength)
  .describe('The address at the push service, as in `PushSubscription.endpoint`.');

/** A set of events. */
export const notificationEvents = z
  .array(z.enum(eventNames))
  .max(eventNames.length)
  .refine((list) => new Set(list).size === list.length, { error: 'an event is repeated' });

const events = notificationEvents.describe('The events that are sent.');

const showsTitles = z
  .boolean()
  .describe('Whether notifications contain names of recordings and texts of to-dos.');

export const notificationTimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, { error: 'not an IANA time zone' })
  .describe("The owner's IANA time zone, which decides when a to-do is due today.");

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export const subscription = z
  .object({
    endpoint,
    events,
    shows_titles: showsTitles,
    time_zone: notificationTimeZone,
    created_at: time,
  })
  .meta({ id: 'PushSubscription', description: 'Where notifications of a session are sent.' });

/** Returns the key of the server, and the subscription of the session. */
export const get = {
  body: z.object({}),
  data: z.object({
    public_key: z
      .string()
      .describe("The server's VAPID key: an uncompressed P-256 point in base64url."),
    subscription: subscription.nullable(),
  }),
};

/** Registers the push subscription of the session, and replaces a former one. */
export const subscribe = {
  body: z.object({
    endpoint,
    keys: z
      .object({
        p256dh: z.string().regex(/^B[\w-]{86}$/, { error: 'not a P-256 point in base64url' }),
        auth: z.string().regex(/^[\w-]{22}$/, { error: 'not 16 bytes in base64url' }),
      })
      .describe('The keys of the browser, as in `PushSubscription.toJSON()`.'),
    events,
    shows_titles: showsTitles,
    time_zone: notificationTimeZone,
  }),
  data: subscription,
};
export const unsubscribe = { body: z.object({}), data: z.object({}) };
export const test = { body: z.object({}), data: z.object({}) };

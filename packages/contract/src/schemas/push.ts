import { z } from 'zod';
import { limits } from '../limits.ts';
import { notificationEvents as eventNames } from '../notifications.ts';
import { time } from './common.ts';

const endpoint = z
  .string()
  .min(1)
  .max(limits.push.endpointMaxLength)
  .describe('The URL at the push service, as in `PushSubscription.endpoint`.');

/** A set of events. */
export const notificationEvents = z
  .array(z.enum(eventNames))
  .max(eventNames.length)
  .refine((list) => new Set(list).size === list.length, { error: 'duplicate event' });

const events = notificationEvents.describe('The events to send.');

const showsTitles = z
  .boolean()
  .describe('Whether notifications may contain the names of recordings and the text of to-dos.');

export const notificationTimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, { error: 'not an IANA time zone' })
  .describe("The user's IANA time zone, which determines the day on which a to-do is due.");

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
  .meta({ id: 'PushSubscription', description: "A session's subscription to push notifications." });

/** Returns the server's key and the session's subscription. */
export const get = {
  body: z.object({}),
  data: z.object({
    public_key: z
      .string()
      .describe("The server's VAPID key: an uncompressed P-256 point in base64url."),
    subscription: subscription.nullable(),
  }),
};

/** Registers the session's push subscription, replacing any earlier subscription. */
export const subscribe = {
  body: z.object({
    endpoint,
    keys: z
      .object({
        p256dh: z.string().regex(/^B[\w-]{86}$/, { error: 'not a P-256 point in base64url' }),
        auth: z.string().regex(/^[\w-]{22}$/, { error: 'not 16 bytes in base64url' }),
      })
      .describe("The browser's keys, as in `PushSubscription.toJSON()`."),
    events,
    shows_titles: showsTitles,
    time_zone: notificationTimeZone,
  }),
  data: subscription,
};
export const unsubscribe = { body: z.object({}), data: z.object({}) };
export const test = { body: z.object({}), data: z.object({}) };

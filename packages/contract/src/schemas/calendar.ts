import { z } from 'zod';
import { nothing } from './common.ts';

const calendarUrl = z
  .string()
  .describe(
    'The URL for subscribing in a calendar app. Anyone who has it can read the calendar, so keep it secret.',
  );

/** Returns the URL of the account's calendar. */
export const get = {
  body: nothing,
  data: z.object({
    url: calendarUrl.nullable().describe('The calendar URL, or null if none has been created.'),
  }),
};
/** Creates the URL of the account's calendar, or returns the existing URL. */
export const create = { body: nothing, data: z.object({ url: calendarUrl }) };
/** Revokes the calendar URL immediately. */
export const revoke = { body: nothing, data: z.object({}) };

import { z } from 'zod';
import { limits } from '../limits.ts';
import { shareParts } from '../statuses.ts';
import { id, pageSchema, paging, time } from './common.ts';

const parts = z
  .array(z.enum(shareParts))
  .min(1)
  .max(shareParts.length)
  .refine((list) => new Set(list).size === list.length, { error: 'duplicate part' })
  .describe('The parts of the recording that the page shows.');
const url = z
  .string()
  .describe(
    'The URL of the page. Anyone who has it can open the page, unless the page has a password.',
  );

export const shareLink = z
  .object({
    id: z.string(),
    radio_file_id: z.string().describe('The ID of the recording.'),
    title: z.string().describe("The recording's current name, or '' if it has none."),
    recorded_at: time,
    parts,
    url,
    has_password: z.boolean(),
    created_at: time,
    expires_at: time.nullable().describe('When the link expires, or null if it never expires.'),
    status: z
      .enum(['valid', 'expired', 'binned'])
      .describe(
        '`binned`: the recording is in the recycle bin. The page is shown only while the link is `valid`.',
      ),
    view_count: z
      .int()
      .describe(
        'The number of times the page was loaded. Playing the audio does not count as a view.',
      ),
    last_viewed_at: time.nullable(),
    views: z
      .array(time)
      .max(limits.shares.views)
      .describe(
        `When the page was loaded: the latest ${limits.shares.views} views, newest first. Nothing else about a view is stored.`,
      ),
  })
  .meta({ id: 'ShareLink', description: 'A link that shows a recording without an account.' });

/** Creates a link. */
export const create = {
  body: z.object({
    id: id.describe('The ID of the recording.'),
    parts,
    expires_days: z
      .int()
      .min(1)
      .max(limits.shares.maxDays)
      .optional()
      .describe('Days until the link expires. If absent, the link never expires.'),
    password: z
      .string()
      .max(1024)
      .optional()
      .describe('A password of 8 to 128 characters that protects the page.'),
  }),
  data: z.object({ id: z.string().describe('The ID of the link.'), url }),
};
/** Returns the links of the account or of one recording, newest first. */
export const index = {
  body: z.object({
    id: id.optional().describe('The ID of a recording. If present, only its links are returned.'),
    ...paging,
  }),
  data: pageSchema(shareLink),
};
/** Revokes a link immediately. */
export const revoke = {
  body: z.object({ id: id.describe('The ID of the link.') }),
  data: z.object({}),
};

import { z } from 'zod';
import { limits } from '../limits.ts';
import { shareParts } from '../statuses.ts';
import { id, listOf, paging, time } from './common.ts';

const parts = z
  .array(z.enum(shareParts))
  .min(1)
  .max(shareParts.length)
  .refine((list) => new Set(list).size === list.length, { error: 'a part is repeated' })
  .describe('The parts of the recording that the page shows.');
const url = z
  .string()
  .describe(
    'The address of the page. Everyone who has it can read the page, unless it has a password.',
  );

export const shareLink = z
  .object({
    id: z.string(),
    radio_file_id: z.string().describe('The id of the recording.'),
    title: z.string().describe("The recording's current name, or '' if it has none."),
    recorded_at: time,
    parts,
    url,
    has_password: z.boolean(),
    created_at: time,
    expires_at: time.nullable().describe('When the link expires; null if it does not.'),
    status: z
      .enum(['valid', 'expired', 'binned'])
      .describe(
        '`binned` while the recording is in the recycle bin. The page is shown only if the link is `valid`.',
      ),
    view_count: z
      .int()
      .describe('How often the page was loaded. Playing the audio does not count.'),
    last_viewed_at: time.nullable(),
    views: z
      .array(time)
      .max(limits.shares.views)
      .describe(
        `When the page was loaded, latest first, for the latest ${limits.shares.views} views. Nothing else is stored about them.`,
      ),
  })
  .meta({ id: 'ShareLink', description: 'A link that shows a recording without an account.' });

/** Creates a link. */
export const create = {
  body: z.object({
    id: id.describe('The id of the recording.'),
    parts,
    expires_days: z
      .int()
      .min(1)
      .max(limits.shares.maxDays)
      .optional()
      .describe('Days until the link expires. If absent, it does not.'),
    password: z
      .string()
      .max(1024)
      .optional()
      .describe('The password that the page asks for, of 8 to 128 characters.'),
  }),
  data: z.object({ id: z.string().describe('The id of the link.'), url }),
};
/** Returns the links of the account or of one recording, latest first. */
export const index = {
  body: z.object({
    id: id.optional().describe('The id of a recording. If present, only its links are returned.'),
    ...paging,
  }),
  data: listOf(shareLink),
};
/** Revokes a link at once. */
export const revoke = {
  body: z.object({ id: id.describe('The id of the link.') }),
  data: z.object({}),
};

import { z } from 'zod';
import { limits } from '../limits.ts';
import { scenes } from '../statuses.ts';
import { id, pageSchema, paging, time } from './common.ts';
import { recording, taskHead } from './entities.ts';

const ids = z
  .array(id)
  .min(1)
  .max(1000)
  .describe('IDs of recordings. The call is atomic: it affects all of them or, if it fails, none.');

export const rename = {
  body: z.object({ id, name: z.string().trim().max(limits.recording.nameMaxLength) }),
  data: recording,
};

/** Moves a recording to the recycle bin. */
export const bin = { body: z.object({ id }), data: recording };

/** Permanently deletes recordings along with their audio and transcripts. */
export const batchDelete = {
  body: z.object({ ids }),
  data: z.object({ ids: z.array(z.string()) }),
};

/** Restores recordings from the recycle bin. */
export const recover = { body: z.object({ ids }), data: z.object({ ids: z.array(z.string()) }) };

/** Returns transcriptions and their cost, newest first, including transcriptions of deleted recordings. */
export const translateHistory = {
  body: z.object(paging),
  data: pageSchema(
    taskHead.omit({ step: true }).extend({
      radio_file_id: z
        .string()
        .nullable()
        .describe('The ID of the recording, or null if it was deleted permanently.'),
      name: z.string(),
      source: z
        .int()
        .describe("The recording's source: 1 for a call. Any other value means a note."),
      scene: z
        .enum(scenes)
        .optional()
        .describe("The recording's type. Older servers don't return it."),
      total_time: z
        .number()
        .describe("The audio's duration in whole seconds. Older servers return fractions."),
      minutes: z.int().describe('Whole minutes charged.'),
      created_at: time,
      updated_at: time,
    }),
  ),
};

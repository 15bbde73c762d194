import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, listOf, paging, time } from './common.ts';
import { recording, taskHead } from './task.ts';

const ids = z.array(id).min(1).max(1000);

export const rename = {
  body: z.object({ id, name: z.string().trim().max(limits.recording.nameMaxLength) }),
  data: recording,
};

/** Into the recycle bin. */
export const bin = { body: z.object({ id }), data: recording };

/** For good: audio, transcript and all; nothing brings them back. */
export const batchDelete = {
  body: z.object({ ids }),
  data: z.object({ ids: z.array(z.string()) }),
};

/** Out of the recycle bin. */
export const recover = { body: z.object({ ids }), data: z.object({ ids: z.array(z.string()) }) };

/** What was transcribed and what it cost, newest first; recordings that are gone stay listed. */
export const translateHistory = {
  body: z.object(paging),
  data: listOf(
    taskHead.omit({ step: true }).extend({
      /** Null once the recording was deleted for good. */
      radio_file_id: z.string().nullable(),
      name: z.string(),
      /** What made the recording: 1 is a call, anything else a note. */
      source: z.int(),
      /** Seconds of audio. */
      total_time: z.number(),
      /** Whole minutes charged. */
      minutes: z.int(),
      created_at: time,
      updated_at: time,
    }),
  ),
};

import { z } from 'zod';
import { id, nothing } from './common.ts';

/** Counts the account's draft transcripts that a better engine can replace. */
export const drafts = {
  body: nothing,
  data: z.object({
    count: z
      .int()
      .describe(
        'Number of transcripts made by the draft engine in languages for which the server now has a better engine. Transcripts with edits or highlights are not counted.',
      ),
  }),
};

/** Queues a free transcription for each draft. */
export const replaceDrafts = {
  body: nothing,
  data: z.object({
    queued: z.int().describe('Number of transcriptions queued by this call.'),
    left: z.int().describe('Number of drafts that remain. Call again to queue them.'),
  }),
};

/** Returns the cost of a transcription. */
export const price = {
  body: z.object({
    id: id.describe('The ID of the recording.'),
    language: z.string().min(1).max(35).describe('As in `task/create`.'),
  }),
  data: z.object({
    minutes: z
      .int()
      .describe(
        'Minutes that would be charged. 0 if a better engine replaces a draft that was already paid for.',
      ),
  }),
};

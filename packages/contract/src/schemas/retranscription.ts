import { z } from 'zod';
import { id, nothing } from './common.ts';

/** Counts the drafts of the account that a better engine can replace. */
export const drafts = {
  body: nothing,
  data: z.object({
    count: z
      .int()
      .describe(
        'Transcripts by the draft engine in languages for which the server now has a better one. Without those that were edited or highlighted.',
      ),
  }),
};

/** Queues a free transcription for each draft. */
export const replaceDrafts = {
  body: nothing,
  data: z.object({
    queued: z.int().describe('Number of transcriptions that were queued.'),
    left: z.int().describe('Number of drafts that remain for another call.'),
  }),
};

/** Computes what a transcription would cost. */
export const price = {
  body: z.object({
    id: id.describe('The id of the recording.'),
    language: z.string().min(1).max(35).describe('As in `task/create`.'),
  }),
  data: z.object({
    minutes: z
      .int()
      .describe('Minutes that would be charged; 0 if a better engine replaces a paid draft.'),
  }),
};

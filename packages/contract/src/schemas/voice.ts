import { z } from 'zod';
import { limits } from '../limits.ts';
import { nothing, time } from './common.ts';

const name = z.string().trim().min(1).max(limits.recording.speakerMaxLength);
const remembered = name.describe('The name under which the voice is remembered.');

const voice = z
  .object({
    name,
    recordings: z.int().describe('The number of recordings in which the voice was remembered.'),
    first_at: time.describe('The date of the earliest of these recordings.'),
    last_at: time.describe('The date of the latest of these recordings.'),
  })
  .meta({ id: 'Voice', description: 'A remembered voice.' });

export const list = {
  body: nothing,
  data: z.object({
    list: z.array(voice).describe('The voices, in the order of their names.'),
    unnamed: z.int().describe('The number of stored voices of speakers that have no name yet.'),
  }),
};

export const rename = {
  body: z.object({
    name: remembered,
    to: name.describe('The new name. Voices with the same name become one voice.'),
  }),
  data: z
    .object({ recordings: z.int() })
    .describe('The number of recordings in which the speaker was renamed.'),
};

export const forget = {
  body: z.object({ name: remembered }),
  data: z
    .object({ embeddings: z.int() })
    .describe('The number of embeddings that were deleted. Recordings keep the name as text.'),
};

const exportedVoice = z
  .object({
    name: name.nullable().describe('Null for a speaker that has no name yet.'),
    client_flag: z.string().describe('The recording of the speaker.'),
    speaker: z.string().describe("The speaker's label in the transcript."),
    recorded_at: time,
    created_at: time.describe('When the voice was stored.'),
    model: z.string().describe('The model that computed the embedding.'),
    embedding: z
      .array(z.number())
      .describe('The voice as a vector of unit length. Vectors of different models are unrelated.'),
  })
  .meta({ id: 'ExportedVoice', description: 'The voice of a speaker in a recording.' });

export const exported = {
  body: nothing,
  data: z
    .object({ list: z.array(exportedVoice) })
    .describe('All voices that the server stores for the account.'),
};

import { z } from 'zod';
import { limits } from '../limits.ts';
import { nothing, time } from './common.ts';

const name = z.string().trim().min(1).max(limits.recording.speakerMaxLength);
const remembered = name.describe('The name that the voice is stored under.');

const voice = z
  .object({
    name,
    recordings: z.int().describe('The number of recordings that the stored voice comes from.'),
    first_at: time.describe('The date of the earliest of these recordings.'),
    last_at: time.describe('The date of the latest of these recordings.'),
  })
  .meta({
    id: 'Voice',
    description: "A person's voice, stored for recognizing the speaker in other recordings.",
  });

export const list = {
  body: nothing,
  data: z.object({
    list: z.array(voice).describe('The voices, sorted by name.'),
    unnamed: z.int().describe('The number of stored voices whose speakers have no name yet.'),
  }),
};

export const rename = {
  body: z.object({
    name: remembered,
    to: name.describe('The new name. If another voice already has this name, the two are merged.'),
  }),
  data: z
    .object({ recordings: z.int() })
    .describe('The number of recordings in which the speaker was renamed.'),
};

export const forget = {
  body: z.object({ name: remembered }),
  data: z
    .object({ embeddings: z.int() })
    .describe('The number of deleted embeddings. Recordings keep the name as text.'),
};

const exportedVoice = z
  .object({
    name: name.nullable().describe('The name, or null if the speaker has no name yet.'),
    client_flag: z.string().describe('The `client_flag` of the recording.'),
    speaker: z.string().describe("The speaker's label in the transcript."),
    recorded_at: time,
    created_at: time.describe('When the voice was stored.'),
    model: z.string().describe('The model that computed the embedding.'),
    embedding: z
      .array(z.number())
      .describe(
        "The voice as a vector of unit length. Embeddings of different models aren't comparable.",
      ),
  })
  .meta({ id: 'ExportedVoice', description: "A speaker's voice in one recording." });

export const exported = {
  body: nothing,
  data: z
    .object({ list: z.array(exportedVoice) })
    .describe('All voices that the server stores for the account.'),
};

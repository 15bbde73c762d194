import { z } from 'zod';
import { autoLanguage, languages } from '../languages.ts';
import { limits } from '../limits.ts';
import { structureIds } from '../structures.ts';
import { email, language, nothing } from './common.ts';

export const bcp47 = z.enum(languages.map(({ bcp47 }) => bcp47));

/** A transcription's language: `auto` until the engine has detected it. */
export const spokenLanguage = z.enum([...languages.map(({ bcp47 }) => bcp47), autoLanguage]);

export const code = {
  body: z.object({ email, language }),
  data: z
    .object({ retry_after: z.int() })
    .describe(
      'Seconds until another code may be requested. The response is the same whether or not the email address has an account.',
    ),
};

/** A speech model that the server downloads. `waiting` includes the time between two attempts. */
const modelDownload = z.object({
  name: z.string(),
  licence: z.string(),
  bytes: z.int().describe('Size of the download.'),
  done_bytes: z.int().describe('Number of bytes downloaded so far.'),
  state: z.enum(['waiting', 'downloading', 'installing', 'installed', 'failed']),
  failure: z
    .enum(['unreachable', 'storage-full', 'refused', 'content-mismatch', 'busy', 'unusable'])
    .nullable()
    .describe('Why the last attempt failed. Null if it succeeded, or before the first attempt.'),
});

/** Returns the public configuration that the app needs before sign-in. */
export const config = {
  body: nothing,
  data: z.object({
    version: z.string(),
    audio_kinds: z
      .array(z.string())
      .optional()
      .describe(
        'The audio formats that the server can decode: `opus` (.ogg, .opus, .oga), `wave` (.wav), `g711` (.wav with A-law or μ-law samples), `mp3`, `mp4` (.m4a, .mp4), `aac`, `flac`, `vorbis` (.ogg) and `webm`. Clients upload only files of these formats unchanged. Absent on older servers, which decode `opus` and `wave`.',
      ),
    billing: z.enum(['sandbox', 'stripe', 'off']),
    engines: z.object({
      transcription: z
        .array(
          z.object({
            language: spokenLanguage,
            engine: z.string(),
            quality: z.enum(['draft', 'good']),
          }),
        )
        .describe(
          'One entry per language that this server can transcribe. Expect errors with quality `draft`.',
        ),
      analysis: z
        .object({
          engine: z.string(),
          kind: z.enum(['extractive', 'generative']),
          structures: z.array(z.enum(structureIds)).describe('The supported structures.'),
          translates: z
            .boolean()
            .describe('True if a summary may be in a different language from the recording.'),
        })
        .describe('The kind of summaries: extracted sentences, or text by a language model.'),
      speakers: z.boolean().describe('True if transcripts distinguish speakers.'),
      downloads: z
        .array(modelDownload)
        .optional()
        .describe(
          'The speech models that this server downloads automatically, in order. Absent on older servers, and if the server downloads no models.',
        ),
    }),
    map_tiles: z
      .object({
        url: z.string().describe('A URL template that contains {z}, {x} and {y}.'),
        attribution: z.string().describe('The attribution to show on the map.'),
      })
      .nullable()
      .describe("The map tile source, or null to use the app's built-in map."),
    virtual_recorder_urls: z
      .array(z.string())
      .describe(
        "Base URLs of software recorders: the server's own virtual recorder and the recorders in `RECORDER_URLS`.",
      ),
    sends_mail: z
      .boolean()
      .optional()
      .describe(
        "False if the server doesn't send mail, but only writes it to its outbox, where the operator can read verification codes. Absent on older servers.",
      ),
    transcribes_ranges: z
      .boolean()
      .optional()
      .describe(
        'True if `task/create` accepts a `range`. Absent on older servers, which would transcribe the whole recording.',
      ),
    dismisses_proposals: z
      .boolean()
      .optional()
      .describe(
        'True if `sync/apply` accepts `recording.dismissProposal`. Absent on older servers, where `recording.speaker` with an empty name dismisses a proposal.',
      ),
    merges_transcripts: z
      .boolean()
      .optional()
      .describe('True if the server has the call `task/merge`. Absent on older servers.'),
    recording_words: z
      .boolean()
      .optional()
      .describe('True if `sync/apply` accepts `recording.word`. Absent on older servers.'),
    agreement_version: z.string(),
    support_url: z
      .string()
      .nullable()
      .describe(
        "The operator's support address (`https:` or `mailto:`), or null if none is configured.",
      ),
  }),
};

/** Fields common to all feedback. */
export const feedbackFields = {
  kind: z.enum(['problem', 'question', 'wish', 'other']).default('other'),
  content: z.string().trim().min(1).max(limits.feedback.contentMaxLength),
  contact: z
    .string()
    .trim()
    .max(limits.feedback.contactMaxLength)
    .default('')
    .describe(
      "The sender's contact details for a reply. For signed-in users, the account's email address is also known.",
    ),
  log: z
    .string()
    .max(limits.feedback.logMaxLength)
    .default('')
    .describe("The app's log, as shown to the user before sending."),
};

/** Sends feedback from a signed-out user. */
export const feedback = { body: z.object(feedbackFields), data: z.object({ id: z.string() }) };

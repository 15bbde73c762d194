import { z } from 'zod';
import { autoLanguage, languages } from '../languages.ts';
import { limits } from '../limits.ts';
import { structureIds } from '../structures.ts';
import { email, nothing } from './common.ts';

export const bcp47 = z.enum(languages.map(({ bcp47 }) => bcp47));

/** A transcription's language: `auto` until the engine has detected it. */
export const spokenLanguage = z.enum([...languages.map(({ bcp47 }) => bcp47), autoLanguage]);

export const code = {
  body: z.object({ email }),
  /** Seconds until another code may be requested. The same for known and unknown addresses. */
  data: z.object({ retry_after: z.int() }),
};

/** Returns the public configuration, which the app needs before sign-in. */
export const config = {
  body: nothing,
  data: z.object({
    version: z.string(),
    /**
     * Ids in `@linnet/audio/kind` of the audio files that the server decodes. Only these are uploaded unchanged. Absent
     * on older servers, which decode `opus` and `wave`.
     */
    audio_kinds: z.array(z.string()).optional(),
    billing: z.enum(['sandbox', 'stripe', 'off']),
    engines: z.object({
      /** One entry per language that this server can transcribe. Expect errors with quality `draft`. */
      transcription: z.array(
        z.object({
          language: spokenLanguage,
          engine: z.string(),
          quality: z.enum(['draft', 'good']),
        }),
      ),
      /** The kind of summaries: extracted sentences, or text by a language model. */
      analysis: z.object({
        engine: z.string(),
        kind: z.enum(['extractive', 'generative']),
        /** The supported structures. */
        structures: z.array(z.enum(structureIds)),
        /** True if a summary may be in another language than the recording. */
        translates: z.boolean(),
      }),
      /** True if speakers are told apart. */
      speakers: z.boolean(),
    }),
    /** The map tile source, or null if the app only draws its own map. */
    map_tiles: z
      .object({
        /** An address that contains {z}, {x} and {y}. */
        url: z.string(),
        /** The attribution to show on the map. */
        attribution: z.string(),
      })
      .nullable(),
    virtual_recorder_urls: z.array(z.string()),
    /**
     * False if mail is only written to the server's outbox, where its operator reads verification codes. Absent on older
     * servers.
     */
    sends_mail: z.boolean().optional(),
    agreement_version: z.string(),
    /** The operator's support address (`https:` or `mailto:`), or null if none is configured. */
    support_url: z.string().nullable(),
  }),
};

/** Fields that all feedback has. */
export const feedbackWords = {
  kind: z.enum(['problem', 'question', 'wish', 'other']).default('other'),
  content: z.string().trim().min(1).max(limits.feedback.contentMaxLength),
  /** Where to reply. Signed-in users can also be reached at their account's e-mail. */
  contact: z.string().trim().max(limits.feedback.contactMaxLength).default(''),
  /** The app's log, as shown to the user before sending. */
  log: z.string().max(limits.feedback.logMaxLength).default(''),
};

/** Sends feedback from a signed-out user. */
export const feedback = { body: z.object(feedbackWords), data: z.object({ id: z.string() }) };

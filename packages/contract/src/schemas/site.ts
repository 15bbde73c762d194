import { z } from 'zod';
import { autoLanguage, languages } from '../languages.ts';
import { limits } from '../limits.ts';
import { structureIds } from '../structures.ts';
import { email, nothing } from './common.ts';

export const bcp47 = z.enum(languages.map(({ bcp47 }) => bcp47));

/** The language of a transcription: `auto` until the engine has detected it. */
export const spokenLanguage = z.enum([...languages.map(({ bcp47 }) => bcp47), autoLanguage]);

export const code = {
  body: z.object({ email }),
  /** The seconds until another code may be requested, whether the address is known or not. */
  data: z.object({ retry_after: z.int() }),
};

/** Public configuration that the app needs before sign-in. */
export const config = {
  body: nothing,
  data: z.object({
    version: z.string(),
    billing: z.enum(['sandbox', 'stripe', 'off']),
    engines: z.object({
      /** One entry for each language that can be transcribed here. `draft`: expect errors. */
      transcription: z.array(
        z.object({
          language: spokenLanguage,
          engine: z.string(),
          quality: z.enum(['draft', 'good']),
        }),
      ),
      /** The kind of summaries: extracted sentences, or text of a language model. */
      analysis: z.object({
        engine: z.string(),
        kind: z.enum(['extractive', 'generative']),
        /** Supported structures. */
        structures: z.array(z.enum(structureIds)),
        /** Whether a summary may be in another language than the recording. */
        translates: z.boolean(),
      }),
      /** Whether speakers are separated. */
      speakers: z.boolean(),
    }),
    /** Source of map tiles, or null if the app only draws its own map. */
    map_tiles: z
      .object({
        /** An address with {z}, {x} and {y}. */
        url: z.string(),
        /** Attribution to show on the map. */
        attribution: z.string(),
      })
      .nullable(),
    virtual_recorder_urls: z.array(z.string()),
    agreement_version: z.string(),
    /** Support address of the operator, `https:` or `mailto:`, or null if none is configured. */
    support_url: z.string().nullable(),
  }),
};

/** Fields common to all feedback. */
export const feedbackWords = {
  kind: z.enum(['problem', 'question', 'wish', 'other']).default('other'),
  content: z.string().trim().min(1).max(limits.feedback.contentMaxLength),
  /** The address for a reply. Signed-in users can also be reached at their account's e-mail. */
  contact: z.string().trim().max(limits.feedback.contactMaxLength).default(''),
  /** Log of the app, as shown to the user before sending. */
  log: z.string().max(limits.feedback.logMaxLength).default(''),
};

/** Feedback of a signed-out user. */
export const feedback = { body: z.object(feedbackWords), data: z.object({ id: z.string() }) };

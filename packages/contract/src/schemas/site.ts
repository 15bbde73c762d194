import { z } from 'zod';
import { autoLanguage, languages } from '../languages.ts';
import { limits } from '../limits.ts';
import { structureIds } from '../structures.ts';
import { email, nothing } from './common.ts';

export const bcp47 = z.enum(languages.map(({ bcp47 }) => bcp47));

/** A language to transcribe in: `auto` until the engine found out which. */
export const spokenLanguage = z.enum([...languages.map(({ bcp47 }) => bcp47), autoLanguage]);

export const code = {
  body: z.object({ email }),
  /** Seconds until another code may be asked for. The same whether the address is known or not. */
  data: z.object({ retry_after: z.int() }),
};

/** Public facts the app needs before anybody signs in. */
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
      /** How summaries are made: extracted sentences, or a language model's words. */
      analysis: z.object({
        engine: z.string(),
        kind: z.enum(['extractive', 'generative']),
        /** The structures it can make. */
        structures: z.array(z.enum(structureIds)),
        /** Whether a summary may be in another language than the recording. */
        translates: z.boolean(),
      }),
      /** Whether speakers are told apart. */
      speakers: z.boolean(),
    }),
    /** Where pictures of maps come from; null where the app draws its own map alone. */
    map_tiles: z
      .object({
        /** An address with {z}, {x} and {y}. */
        url: z.string(),
        /** Who made the map, in words to show on it. */
        attribution: z.string(),
      })
      .nullable(),
    virtual_recorder_urls: z.array(z.string()),
    agreement_version: z.string(),
    /** Where its operator can be reached, `https:` or `mailto:`; null where none is configured. */
    support_url: z.string().nullable(),
  }),
};

/** What every kind of feedback says. */
export const feedbackWords = {
  kind: z.enum(['problem', 'question', 'wish', 'other']).default('other'),
  content: z.string().trim().min(1).max(limits.feedback.contentMaxLength),
  /** Where to answer; an account has its e-mail. */
  contact: z.string().trim().max(limits.feedback.contactMaxLength).default(''),
  /** The log of the app, as its owner saw it before it was sent. */
  log: z.string().max(limits.feedback.logMaxLength).default(''),
};

/** Of somebody who is not signed in. */
export const feedback = { body: z.object(feedbackWords), data: z.object({ id: z.string() }) };

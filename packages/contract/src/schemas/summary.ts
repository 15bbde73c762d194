import { z } from 'zod';
import { limits } from '../limits.ts';
import { structureIds, summaryLists } from '../structures.ts';

/** Something found in the transcript, with where it was said. */
const item = z.object({
  /** Unique within its document; an item that says the same keeps it when the summary is made again. */
  id: z.string(),
  text: z.string(),
  paragraph_id: z.string(),
  /** Seconds from the start of the recording. */
  start_time: z.number(),
});

/** A calendar day, `2026-11-21`, where the words and the recording's date tell one. */
const day = z.string().nullable();

const todo = item.extend({
  /** Who is to do it, in the speaker's words; null where that was not said. */
  who: z.string().nullable(),
  /** Until when, in the speaker's words; null where that was not said. */
  when: z.string().nullable(),
  due: day,
});

const sum = item.extend({
  /** Null where only words like "a few hundred" were said. */
  amount: z.number().nullable(),
  /** ISO 4217; null where it was not said. */
  currency: z.string().nullable(),
  /** What the money is for, in the speaker's words; null where that was not said. */
  purpose: z.string().nullable(),
});

/** A date or time that was named. */
const event = item.extend({
  /** In the speaker's words. */
  when: z.string(),
  date: day,
});

/** A stretch of the recording about one thing; `text` names it. */
const topic = item.extend({ end_time: z.number() });

const section = z.object({
  /** Of `structureHeadings`; in a custom structure the owner's own words. */
  heading: z.string(),
  items: z.array(item),
});
const structure = z.object({ sections: z.array(section) });

/** What a recording comes down to, version 1. */
export const summaryDocument = z.object({
  version: z.literal(1),
  /** Who made it, as stored with the task (`builtin`, `openai/…`). */
  engine: z.string(),
  /** `extractive`: sentences that were said. `generative`: a language model's words. */
  kind: z.enum(['extractive', 'generative']),
  /** BCP-47, of the summary's own words. */
  language: z.string(),
  /** The one its owner asked for last. */
  structure: z.enum(structureIds),
  /** Those that were made. */
  structures: z.partialRecord(z.enum(structureIds), structure),
  todos: z.array(todo),
  knowledge_points: z.array(item),
  needs: z.array(item),
  questions: z.array(item),
  finance: z.array(sum),
  timeline: z.array(event),
  topics: z.array(topic),
  /** The lists that this engine looks for in this language: an empty one among them means "none said". */
  looked_for: z.array(z.enum(summaryLists)),
});

/** The owner's own structure: headings, each with what should stand under it. */
export const summaryTemplate = z.object({
  name: z.string().trim().min(1).max(limits.template.nameMaxLength),
  sections: z
    .array(
      z.object({
        heading: z.string().trim().min(1).max(limits.template.headingMaxLength),
        wants: z.string().trim().max(limits.template.wantsMaxLength),
      }),
    )
    .min(1)
    .max(limits.template.sections),
});

import { z } from 'zod';
import { limits } from '../limits.ts';
import { structureIds, summaryLists } from '../structures.ts';

/** An item found in the transcript. */
const item = z.object({
  /**
   * The item's id, unique within the document. When the summary is regenerated, items with the same text keep their
   * ids.
   */
  id: z.string(),
  text: z.string(),
  paragraph_id: z.string(),
  /** Position in the recording, in seconds. */
  start_time: z.number(),
});

/** A calendar day such as `2026-11-21`, if it can be derived from the text and the recording date. */
const day = z.string().nullable();

const todo = item.extend({
  /** The assignee in the speaker's words, or null if none was mentioned. */
  who: z.string().nullable(),
  /** The due date in the speaker's words, or null if none was mentioned. */
  when: z.string().nullable(),
  due: day,
});

const sum = item.extend({
  /** The amount, or null if only words like "a few hundred" were mentioned. */
  amount: z.number().nullable(),
  /** The currency (ISO 4217), or null if none was mentioned. */
  currency: z.string().nullable(),
  /** The purpose of the money in the speaker's words, or null if none was mentioned. */
  purpose: z.string().nullable(),
});

/** A date or time that was mentioned. */
const event = item.extend({
  /** The date or time in the speaker's words. */
  when: z.string(),
  date: day,
});

/** A section of the recording about one topic, named by `text`. */
const topic = item.extend({ end_time: z.number() });

const section = z.object({
  /** A heading from `structureHeadings`, or the user's own in a custom structure. */
  heading: z.string(),
  items: z.array(item),
});
const structure = z.object({ sections: z.array(section) });

/** The summary document (version 1). */
export const summaryDocument = z.object({
  version: z.literal(1),
  /** The engine, as stored with the task (`builtin`, `openai/…`). */
  engine: z.string(),
  /** `extractive`: sentences from the transcript. `generative`: text by a language model. */
  kind: z.enum(['extractive', 'generative']),
  /** The summary's language, as a BCP 47 tag. */
  language: z.string(),
  /** The most recently requested structure. */
  structure: z.enum(structureIds),
  /** The structures created so far. */
  structures: z.partialRecord(z.enum(structureIds), structure),
  todos: z.array(todo),
  knowledge_points: z.array(item),
  needs: z.array(item),
  questions: z.array(item),
  finance: z.array(sum),
  timeline: z.array(event),
  topics: z.array(topic),
  /** The lists that the engine fills in this language. If one is empty, the recording mentions nothing of that kind. */
  looked_for: z.array(z.enum(summaryLists)),
});

/** The user's own structure: headings, each with a description of what belongs under it. */
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

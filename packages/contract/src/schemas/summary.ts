import { z } from 'zod';
import { limits } from '../limits.ts';
import { structureIds, summaryLists } from '../structures.ts';

const item = z
  .object({
    id: z
      .string()
      .describe(
        "The item's ID, unique within the document. When the summary is regenerated, items whose text is unchanged keep their IDs.",
      ),
    text: z.string(),
    paragraph_id: z.string().describe('The paragraph that the item is based on.'),
    start_time: z.number().describe('Position in the recording, in seconds.'),
  })
  .meta({ id: 'SummaryItem', description: 'An item found in the transcript.' });

const day = z
  .string()
  .nullable()
  .describe(
    'A calendar day such as `2026-11-21`, or null if it cannot be derived from the text and the recording date.',
  );

const todo = item
  .extend({
    who: z
      .string()
      .nullable()
      .describe("The assignee in the speaker's words, or null if none was mentioned."),
    when: z
      .string()
      .nullable()
      .describe("The due date in the speaker's words, or null if none was mentioned."),
    due: day,
  })
  .meta({ id: 'SummaryTodo', description: 'A to-do.' });

const sum = item
  .extend({
    amount: z
      .number()
      .nullable()
      .describe('The amount, or null if it was only described in words, such as "a few hundred".'),
    currency: z
      .string()
      .nullable()
      .describe('The currency (ISO 4217), or null if none was mentioned.'),
    purpose: z
      .string()
      .nullable()
      .describe("The purpose of the money in the speaker's words, or null if none was mentioned."),
  })
  .meta({ id: 'SummarySum', description: 'An amount of money that was mentioned.' });

const event = item
  .extend({
    when: z.string().describe("The date or time in the speaker's words."),
    date: day,
  })
  .meta({ id: 'SummaryEvent', description: 'A date or time that was mentioned.' });

const topic = item.extend({ end_time: z.number() }).meta({
  id: 'SummaryTopic',
  description: 'A section of the recording about one topic, named by `text`.',
});

const section = z.object({
  heading: z
    .string()
    .describe(
      "A heading from `structureHeadings` or, in a custom structure, one of the user's headings.",
    ),
  items: z.array(item),
});
const structure = z
  .object({ sections: z.array(section) })
  .meta({ id: 'SummaryStructure', description: 'A summary in one structure.' });

const speakerReference = z.object({
  speaker: z.string().describe("The speaker's label in the transcript."),
  name: z.string().describe("The speaker's name as it appears in the text."),
});

/** Lists where a summary names speakers. Clients use it to update the names after speakers are renamed or merged. */
const speakerReferences = z
  .object({
    texts: z
      .array(
        z.object({
          paragraph_id: z
            .string()
            .optional()
            .describe('For the text of a summary item: the paragraph that the item is based on.'),
          places: z
            .array(z.string())
            .describe(
              'Where the text occurs: `title`, `brief`, a line of the summary (`summary/0`), a keyword (`keywords/0`), or a text of an item, as its path in the document (`todos/0/who`).',
            ),
          parts: z
            .array(z.union([z.string(), speakerReference]))
            .describe('The text, split at the names. Concatenating the parts gives the text.'),
        }),
      )
      .describe('The texts that name speakers.'),
    paragraphs: z
      .array(z.object({ paragraph_id: z.string(), speaker: z.string() }))
      .describe(
        'The speakers of some paragraphs at the time the summary was created, including every paragraph referenced in `texts`. Comparing them with the current transcript shows which speakers have since been merged.',
      ),
  })
  .meta({ id: 'SpeakerReferences', description: 'Where the text of a summary names speakers.' });

export const summaryDocument = z
  .object({
    version: z.literal(1),
    engine: z.string().describe('The summary engine, such as `builtin` or `openai/…`.'),
    kind: z
      .enum(['extractive', 'generative'])
      .describe(
        '`extractive`: sentences from the transcript. `generative`: text by a language model.',
      ),
    language: z.string().describe("The summary's language, as a BCP 47 tag."),
    structure: z.enum(structureIds).describe('The most recently requested structure.'),
    structures: z
      .partialRecord(z.enum(structureIds), structure)
      .describe('The structures created so far.'),
    todos: z.array(todo),
    knowledge_points: z.array(item),
    needs: z.array(item),
    questions: z.array(item),
    finance: z.array(sum),
    timeline: z.array(event),
    topics: z.array(topic),
    looked_for: z
      .array(z.enum(summaryLists))
      .describe(
        'The lists that the engine supports in this language. If one of them is empty, nothing of that kind was mentioned.',
      ),
    speaker_references: speakerReferences
      .optional()
      .describe(
        'Absent from extractive summaries, which quote the transcript, and from summaries created by older servers. The texts in the response already contain the current names. A client needs the references only to show name changes that it has not sent yet.',
      ),
  })
  .meta({ id: 'SummaryDocument', description: 'The summary document (version 1).' });

export const summaryTemplate = z
  .object({
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
  })
  .meta({
    id: 'SummaryTemplate',
    description:
      "The user's own structure: headings, each with a description of what belongs under it.",
  });

import { z } from 'zod';
import { limits } from '../limits.ts';
import { structureIds } from '../structures.ts';
import { id, listOf, orText, paging, textId, time } from './common.ts';
import { is_tag, paragraph, recording, status, task, taskHead } from './entities.ts';
import { bcp47, spokenLanguage } from './site.ts';
import { summaryTemplate } from './summary.ts';

const ofTask = id.describe('The id of the task, or of a recording to use its latest task.');

export const create = {
  body: z
    .object({
      id: id.describe('The id of the recording.'),
      language: z
        .string()
        .min(1)
        .max(35)
        .describe(
          'A BCP 47 tag such as `en`, or `auto` to detect the language. `site/config` lists the supported languages.',
        ),
      again: id
        .optional()
        .describe(
          "Transcribes again, at the full charge unless a better engine replaces a draft. The value is the id of the recording's latest, completed task. If it's no longer the latest, the call returns the latest task, so that a retry isn't charged twice.",
        ),
      audio_url: z
        .string()
        .min(1)
        .max(2048)
        .optional()
        .describe(
          "Uploaded audio (oss/config, voice_file) to transcribe instead of the recording's own, such as a denoised version. The server deletes it when the task ends.",
        ),
      range: z
        .object({
          from: id.describe('The id of the first paragraph.'),
          to: id.describe('The id of the last paragraph.'),
        })
        .optional()
        .describe(
          "Transcribes only these paragraphs again, at the charge for their audio. Requires `again`, the id of the transcript's task. The other paragraphs keep their ids and edits, and become part of the new task.",
        ),
    })
    .refine(({ range, again, audio_url }) => !range || (again !== undefined && !audio_url), {
      path: ['range'],
      error: 'a range requires again and excludes audio_url',
    }),
  data: z.object({ id: z.string(), language: spokenLanguage, status, progress: z.int() }),
};

/** Gives a merged recording the transcripts of the recordings that it consists of. */
export const merge = {
  body: z.object({
    id: id.describe('The id of the merged recording.'),
    parts: z
      .array(
        z.object({
          client_flag: textId.describe('The client_flag of the recording.'),
          start: z
            .number()
            .min(0)
            .describe('Where its audio starts in the merged recording, in seconds.'),
        }),
      )
      .min(2)
      .max(limits.merge.parts)
      .describe('The recordings that it consists of, in order.')
      .refine((parts) => parts.every(({ start }, n) => start >= (parts[n - 1]?.start ?? 0)), {
        error: 'the parts are not in order',
      })
      .refine((parts) => new Set(parts.map((part) => part.client_flag)).size === parts.length, {
        error: 'a part is repeated',
      }),
  }),
  data: z.object({ id: z.string(), language: spokenLanguage, status, progress: z.int() }),
};

/** Cancels a queued or running transcription. If the task has already ended, returns it unchanged. */
export const cancel = {
  body: z.object({ id: ofTask }),
  data: z.object({
    id: z.string(),
    status,
    minutes: z
      .int()
      .describe(
        "Whole minutes charged for the audio that the engine had processed, or 0 if it hadn't started.",
      ),
  }),
};

/** Regenerates everything that's derived from the transcript's current text, such as the summary and to-dos. */
export const summarize = {
  body: z
    .object({
      id: ofTask,
      structure: z
        .enum(structureIds)
        .optional()
        .describe("The summary's structure. If absent, it doesn't change."),
      template: summaryTemplate
        .optional()
        .describe('The template. Required with the structure `custom`.'),
      language: bcp47.optional().describe("The summary's language. Defaults to the recording's."),
    })
    .refine(({ structure, template }) => (structure === 'custom') === (template !== undefined), {
      path: ['template'],
      error: 'only the structure "custom" requires a template',
    }),
  data: z.object({ id: z.string(), summarizing: z.object({ status }) }),
};

export const detail = {
  body: z.object({ id: ofTask }),
  data: task,
};

const row = recording.extend({ task: taskHead.nullable() }).meta({
  id: 'ListedRecording',
  description:
    "A recording with its latest task. `id` is the recording's id, and `task.id` is the task's.",
});

export const index = {
  body: z.object({
    ...paging,
    ids: z
      .array(id)
      .max(1000)
      .optional()
      .describe(
        'Returns only these recordings, including those in the recycle bin. By default, the call returns all recordings that are not in the recycle bin.',
      ),
    archived: z
      .enum(['with', 'without', 'only'])
      .default('with')
      .describe(
        'Whether the list contains archived recordings: `with` others, not at all, or no others. Older servers ignore it, and have no archived recordings.',
      ),
  }),
  data: listOf(row),
};

export const match = z
  .object({
    where: z.enum(['name', 'tag', 'keyword', 'speaker', 'note', 'marker', 'summary', 'paragraph']),
    text: z
      .string()
      .describe(
        'The text around the first hit; `start` and `length` mark the hit within it, in UTF-16 units.',
      ),
    start: z.int(),
    length: z.int(),
    paragraph_id: z
      .string()
      .optional()
      .describe("For a hit in the transcript: the paragraph's id, and its start in seconds."),
    start_time: z.number().optional(),
  })
  .meta({ id: 'SearchMatch', description: 'A search hit.' });

export const search = {
  body: z.object({
    keyword: z.string().trim().min(1).max(limits.search.keywordMaxLength),
    notes: z
      .boolean()
      .optional()
      .describe(
        "True if `matches` may contain matches in notes and markers. Otherwise they are only counted, because older apps don't know them.",
      ),
    ...paging,
  }),
  data: listOf(row.extend({ matches: z.array(match), match_count: z.int() })).describe(
    'Recordings, newest first, each with a few matches, best first.',
  ),
};

const ofParagraph = {
  id: id.describe('The id of the paragraph.'),
  radio_file_id: id.describe('The id of the recording.'),
};

export const modifyParagraph = {
  body: z
    .object({
      ...ofParagraph,
      content: z.string().max(limits.paragraph.contentMaxLength).optional(),
      is_tag: orText(is_tag).optional(),
    })
    .refine(({ content, is_tag }) => (content === undefined) !== (is_tag === undefined), {
      path: ['content'],
      error: 'send either content or is_tag',
    })
    .describe('Either the new content or the new mark.'),
  data: paragraph,
};

export const tag = {
  body: z.object({ ...ofParagraph, is_tag: orText(is_tag) }),
  data: paragraph,
};

/**
 * Returns all versions of a paragraph's content, starting with the original. To roll back, write an earlier version
 * again.
 */
export const paragraphHistory = {
  body: z.object(ofParagraph),
  data: z.object({
    list: z.array(
      z.object({
        content: z.string(),
        state: z
          .enum(['original', 'applied', 'superseded'])
          .describe(
            "`original` is the engine's text. A later edit on another device overrode `superseded` text.",
          ),
        at: time.describe('When the user wrote this version.'),
      }),
    ),
  }),
};

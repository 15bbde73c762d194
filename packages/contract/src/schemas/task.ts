import { z } from 'zod';
import { limits } from '../limits.ts';
import { structureIds } from '../structures.ts';
import { id, orText, pageSchema, paging, textId, time } from './common.ts';
import { is_tag, paragraph, recording, status, task, taskHead } from './entities.ts';
import { bcp47, spokenLanguage } from './site.ts';
import { summaryTemplate } from './summary.ts';

const taskOrRecordingId = id.describe(
  'The ID of a task, or of a recording to use its latest task.',
);

export const create = {
  body: z
    .object({
      id: id.describe('The ID of the recording.'),
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
          "Transcribes the recording again. Pass the ID of its latest task, which must be completed. The full price is charged unless a better engine replaces a draft. If that task is no longer the latest, the call returns the latest task instead, so a retry isn't charged twice.",
        ),
      audio_url: z
        .string()
        .min(1)
        .max(2048)
        .optional()
        .describe(
          "Uploaded audio (oss/config, voice_file) to transcribe instead of the recording's own, such as a denoised version. The server deletes it when the task is finished.",
        ),
      range: z
        .object({
          from: id.describe('The ID of the first paragraph.'),
          to: id.describe('The ID of the last paragraph.'),
        })
        .optional()
        .describe(
          "Transcribes only these paragraphs again, and charges only for their audio. Requires `again` with the ID of the transcript's task. All other paragraphs keep their IDs and edits and become part of the new task.",
        ),
    })
    .refine(({ range, again, audio_url }) => !range || (again !== undefined && !audio_url), {
      path: ['range'],
      error: 'range requires again, and cannot be combined with audio_url',
    }),
  data: z.object({
    id: z.string().describe("The task's ID."),
    language: spokenLanguage,
    status,
    progress: z.int().describe('The progress in percent, from 0 to 100.'),
  }),
};

/** Combines the transcripts of merged recordings into the transcript of the resulting recording. */
export const merge = {
  body: z.object({
    id: id.describe('The ID of the merged recording.'),
    parts: z
      .array(
        z.object({
          client_flag: textId.describe('The client_flag of the recording.'),
          start: z
            .number()
            .min(0)
            .describe('Offset of its audio in the merged recording, in seconds.'),
        }),
      )
      .min(2)
      .max(limits.merge.parts)
      .describe('The recordings that were merged, in order.')
      .refine((parts) => parts.every(({ start }, n) => start >= (parts[n - 1]?.start ?? 0)), {
        error: 'parts must be in chronological order',
      })
      .refine((parts) => new Set(parts.map((part) => part.client_flag)).size === parts.length, {
        error: 'duplicate part',
      }),
  }),
  data: z.object({ id: z.string(), language: spokenLanguage, status, progress: z.int() }),
};

/** Cancels a queued or running transcription. If the task has already finished, returns it unchanged. */
export const cancel = {
  body: z.object({ id: taskOrRecordingId }),
  data: z.object({
    id: z.string(),
    status,
    minutes: z
      .int()
      .describe(
        "Whole minutes charged for the audio already processed by the engine, or 0 if it hadn't started.",
      ),
  }),
};

/** Regenerates everything derived from the transcript's current text, such as the summary and to-dos. */
export const summarize = {
  body: z
    .object({
      id: taskOrRecordingId,
      structure: z
        .enum(structureIds)
        .optional()
        .describe("The summary's structure. If absent, the structure doesn't change."),
      template: summaryTemplate
        .optional()
        .describe('The template. Required with the structure `custom`, and not allowed otherwise.'),
      language: bcp47.optional().describe("The summary's language. Defaults to the recording's."),
    })
    .refine(({ structure, template }) => (structure === 'custom') === (template !== undefined), {
      path: ['template'],
      error: 'the structure "custom" requires a template, and no other structure accepts one',
    }),
  data: z.object({ id: z.string(), summarizing: z.object({ status }) }),
};

export const detail = {
  body: z.object({ id: taskOrRecordingId }),
  data: task,
};

const row = recording.extend({ task: taskHead.nullable() }).meta({
  id: 'ListedRecording',
  description:
    "A recording with its latest task. `id` is the recording's ID, and `task.id` is the task's.",
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
        'Whether to include archived recordings: `with` other recordings, `without` archived recordings, or `only` archived recordings. Older servers ignore this field, and have no archived recordings.',
      ),
  }),
  data: pageSchema(row),
};

export const match = z
  .object({
    where: z.enum(['name', 'tag', 'keyword', 'speaker', 'note', 'marker', 'summary', 'paragraph']),
    text: z
      .string()
      .describe(
        'The text around the first hit. `start` and `length` give the position of the hit in `text`, in UTF-16 code units.',
      ),
    start: z.int(),
    length: z.int(),
    paragraph_id: z
      .string()
      .optional()
      .describe(
        "For a hit in the transcript, the paragraph's ID. `start_time` is the paragraph's start in seconds.",
      ),
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
        "True if the client supports matches in notes and markers. Otherwise they are counted but not returned, because older apps don't know them.",
      ),
    ...paging,
  }),
  data: pageSchema(row.extend({ matches: z.array(match), match_count: z.int() })).describe(
    'Recordings, newest first, each with a few matches, best first.',
  ),
};

const paragraphTarget = {
  id: id.describe('The ID of the paragraph.'),
  radio_file_id: id.describe('The ID of the recording.'),
};

export const modifyParagraph = {
  body: z
    .object({
      ...paragraphTarget,
      content: z.string().max(limits.paragraph.contentMaxLength).optional(),
      is_tag: orText(is_tag).optional(),
    })
    .refine(({ content, is_tag }) => (content === undefined) !== (is_tag === undefined), {
      path: ['content'],
      error: 'send either content or is_tag',
    })
    .describe('Either the new content or the new value of `is_tag`.'),
  data: paragraph,
};

export const tag = {
  body: z.object({ ...paragraphTarget, is_tag: orText(is_tag) }),
  data: paragraph,
};

/**
 * Returns all versions of a paragraph's content, starting with the original. To roll back, save an earlier version
 * as the new content.
 */
export const paragraphHistory = {
  body: z.object(paragraphTarget),
  data: z.object({
    list: z.array(
      z.object({
        content: z.string(),
        state: z
          .enum(['original', 'applied', 'superseded'])
          .describe(
            "`original`: the engine's text. `superseded`: text that was overridden by a later edit on another device.",
          ),
        at: time.describe('When the user wrote this version.'),
      }),
    ),
  }),
};

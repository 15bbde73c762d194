import { z } from 'zod';
import { limits } from '../limits.ts';
import { taskStatus } from '../statuses.ts';
import { structureIds, taskSteps } from '../structures.ts';
import { id, listOf, paging, peaks, time } from './common.ts';
import { bcp47, spokenLanguage } from './site.ts';
import { summaryDocument, summaryTemplate } from './summary.ts';

const status = z.union([
  z.literal(taskStatus.queued),
  z.literal(taskStatus.working),
  z.literal(taskStatus.transcribed),
  z.literal(taskStatus.failed),
]);
const failure = z.object({ code: z.int(), msg: z.string() });

/** A recording as stored on the server. */
export const recording = z.object({
  id: z.string(),
  name: z.string(),
  ai_title: z.string(),
  source: z.int(),
  /** A short-lived signed URL that supports Range, or null if the server has no audio. */
  url: z.string().nullable(),
  /** The size of the audio file, in bytes. */
  file_size: z.int(),
  /** The SHA-256 digest of the audio file in hex, computed by the server, or null if the server has no audio. */
  sha256: z.string().nullable(),
  /**
   * The SHA-256 digest of the audio in hex, computed by the server, or null if it has no audio. The digest covers the Opus
   * packets in order, as on a recorder, or the whole file if it is not Ogg Opus.
   */
  audio_sha256: z.string().nullable(),
  /** Whether phones may request a transcription automatically. Defaults to true. */
  auto_transcribe: z.boolean().optional(),
  mime_type: z.string(),
  ext: z.string(),
  /** The duration, in seconds. */
  total_time: z.number(),
  peaks,
  sn: z.string(),
  client_flag: z.string(),
  /** The status of the latest task, or null if there is none. */
  status: status.nullable(),
  /** The progress of the latest task, from 0 to 100. */
  progress: z.int(),
  keywords: z.array(z.string()),
  /** The user's tags, in the order of assignment. */
  tags: z.array(z.string()),
  brief: z.string(),
  /** 1 if the recording is in the recycle bin. */
  is_del: z.union([z.literal(0), z.literal(1)]),
  recorded_at: time,
  created_at: time,
  updated_at: time,
  /** The revision, which increases with each change within the account. */
  rev: z.int(),
});

/** The current step of a running task, and its completed fraction, 0 to 1. */
const step = z.object({ name: z.enum(taskSteps), done: z.number() });

/** The head of a recording's latest task. */
export const taskHead = z.object({
  id: z.string(),
  language: spokenLanguage,
  status,
  /** The progress over all steps, from 0 to 100. */
  progress: z.int(),
  /** The current step, or null unless the status is 1. */
  step: step.nullable(),
  error: failure.nullable(),
});

export const word = z.object({
  text: z.string(),
  /** The start, in seconds. */
  start: z.number(),
  /** The end, in seconds. */
  end: z.number(),
  /** The confidence of the engine, from 0 to 1. */
  confidence: z.number(),
});

const is_tag = z.union([z.literal(0), z.literal(1)]);

export const paragraph = z.object({
  id: z.string(),
  /** The start in seconds, with three decimal places. */
  start_time: z.number(),
  end_time: z.number(),
  content: z.string(),
  is_tag,
  /** Present if the content was edited. task/paragraph-history returns the earlier versions. */
  edited: z.literal(true).optional(),
  speaker: z.string().optional(),
  words: z.array(word).optional(),
});

/** `parentid` is empty for the root. */
export const mindNode = z.object({
  id: z.string(),
  parentid: z.string(),
  topic: z.string(),
  /** The paragraph from which the node was generated. */
  paragraph_id: z.string().optional(),
  /** The start of that paragraph, in seconds. */
  start_time: z.number().optional(),
});

export const task = z.object({
  id: z.string(),
  radio_file_id: z.string(),
  language: spokenLanguage,
  status,
  progress: z.int(),
  step: step.nullable(),
  /** The failure, if the status is 3. */
  error: failure.nullable(),
  /** The paragraphs of the transcript. Like all fields below, they are empty until the status is 2. */
  paragraphs: z.array(paragraph),
  title: z.string(),
  brief: z.string(),
  summary: z.string(),
  /** The versioned document of all structures. Null until the status is 2, and if there is no summary. */
  summary_json: summaryDocument.nullable(),
  keywords: z.array(z.string()),
  xmind_url: z.string().nullable(),
  xmind_json: z.array(mindNode).nullable(),
  /** The status and failure of the latest regeneration of the summary, or null if it was never regenerated. */
  summarizing: z.object({ status, error: failure.nullable() }).nullable(),
  /** The speech recognition engine, as named in the interface. */
  engine: z.string().nullable(),
  /** The number of whole minutes that were charged, or 0 until the status is 2. */
  minutes: z.int(),
  created_at: time,
  updated_at: time,
});

export const create = {
  body: z.object({
    /** The id of the recording. */
    id,
    /** The language: an id of the specification, a BCP 47 tag, or `auto`. */
    language: z.string().min(1).max(35),
    /**
     * The id of the recording's latest task, which is completed. Requests a new transcription, which is charged again. If
     * the task is no longer the latest, the latest task is returned, so that a retry is not charged twice.
     */
    again: id.optional(),
    /**
     * The address of uploaded audio (oss/config, voice_file) to transcribe instead of the recording's own audio, such as
     * a denoised version. The server deletes this audio when the task ends.
     */
    audio_url: z.string().min(1).max(2048).optional(),
  }),
  data: z.object({ id: z.string(), language: spokenLanguage, status, progress: z.int() }),
};

/** Cancels a queued or running transcription. An ended task is returned unchanged. */
export const cancel = {
  /** The id of the task, or of a recording to use its latest task. */
  body: z.object({ id }),
  data: z.object({
    id: z.string(),
    status,
    /** The number of whole minutes charged for the audio that the engine had processed, or 0 if it had not started. */
    minutes: z.int(),
  }),
};

/** Regenerates the summary, the to-dos and all other results that are derived from the transcript's current text. */
export const summarize = {
  body: z
    .object({
      /** The id of the task, or of a recording to use its latest task. */
      id,
      /** The structure of the summary. If absent, it does not change. */
      structure: z.enum(structureIds).optional(),
      /** The template, which the structure `custom` requires. */
      template: summaryTemplate.optional(),
      /** The language of the summary. If absent, the language of the recording. */
      language: bcp47.optional(),
    })
    .refine(({ structure, template }) => (structure === 'custom') === (template !== undefined), {
      path: ['template'],
      error: 'only the structure "custom" requires a template',
    }),
  data: z.object({ id: z.string(), summarizing: z.object({ status }) }),
};

export const detail = {
  /** The id of the task, or of a recording to use its latest task. */
  body: z.object({ id }),
  data: task,
};

const row = recording.extend({ task: taskHead.nullable() });

export const index = {
  body: z.object({ ...paging, ids: z.array(id).max(1000).optional() }),
  data: listOf(row),
};

/** A search hit. */
export const match = z.object({
  where: z.enum(['name', 'tag', 'keyword', 'speaker', 'summary', 'paragraph']),
  /** The text around the first hit; `start` and `length` mark the hit within it, in UTF-16 units. */
  text: z.string(),
  start: z.int(),
  length: z.int(),
  /** The id of the paragraph and its start in seconds, for a hit in the transcript. */
  paragraph_id: z.string().optional(),
  start_time: z.number().optional(),
});

export const search = {
  body: z.object({
    keyword: z.string().trim().min(1).max(limits.search.keywordMaxLength),
    ...paging,
  }),
  /** The recordings, newest first, with a few matches of each, best first. */
  data: listOf(row.extend({ matches: z.array(match), match_count: z.int() })),
};

const ofParagraph = { id, radio_file_id: id };

export const modifyParagraph = {
  /** The new content or the new mark, but not both. */
  body: z
    .object({
      ...ofParagraph,
      content: z.string().max(limits.paragraph.contentMaxLength).optional(),
      is_tag: is_tag.optional(),
    })
    .refine(({ content, is_tag }) => (content === undefined) !== (is_tag === undefined), {
      path: ['content'],
      error: 'send either content or is_tag',
    }),
  data: paragraph,
};

export const tag = { body: z.object({ ...ofParagraph, is_tag }), data: paragraph };

/** Returns all versions of a paragraph's content, starting with the original. To roll back, write an earlier version. */
export const paragraphHistory = {
  body: z.object(ofParagraph),
  data: z.object({
    list: z.array(
      z.object({
        content: z.string(),
        /** `original` is the engine's text. `superseded` text was overridden by a later edit on another device. */
        state: z.enum(['original', 'applied', 'superseded']),
        /** When the user wrote it. */
        at: time,
      }),
    ),
  }),
};

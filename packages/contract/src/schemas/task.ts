import { z } from 'zod';
import { limits } from '../limits.ts';
import { scenes, taskStatus } from '../statuses.ts';
import { structureIds, taskSteps } from '../structures.ts';
import { id, listOf, orText, paging, peaks, time } from './common.ts';
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
  /** 1 is a call, any other value is a note. */
  source: z.int(),
  /** The recording's type. Older servers don't return it. */
  scene: z.enum(scenes).optional(),
  /** A short-lived signed URL that supports Range, or null if there's no audio on the server. */
  url: z.string().nullable(),
  /** The audio file's size in bytes. */
  file_size: z.int(),
  /** The audio file's SHA-256 in hex, computed by the server, or null if it has no audio. */
  sha256: z.string().nullable(),
  /**
   * The audio's SHA-256 in hex, computed by the server, or null if it has no audio. Covers the Opus packets in order,
   * as on a recorder, or the whole file if it isn't Ogg Opus.
   */
  audio_sha256: z.string().nullable(),
  /** True (the default) if phones may request a transcription automatically. */
  auto_transcribe: z.boolean().optional(),
  mime_type: z.string(),
  ext: z.string(),
  /** Duration in whole seconds. Older servers return fractions. */
  total_time: z.number(),
  peaks,
  sn: z.string(),
  client_flag: z.string(),
  /** The latest task's status, or null if there is none. */
  status: status.nullable(),
  /** The latest task's progress, from 0 to 100. */
  progress: z.int(),
  keywords: z.array(z.string()),
  /** The user's tags, in the order in which they were added. */
  tags: z.array(z.string()),
  brief: z.string(),
  /** 1 if the recording is in the recycle bin. */
  is_del: z.union([z.literal(0), z.literal(1)]),
  recorded_at: time,
  created_at: time,
  updated_at: time,
  /** The revision. Increases with each change within the account. */
  rev: z.int(),
});

/** A running task's current step, and the fraction of it that's done, from 0 to 1. */
const step = z.object({ name: z.enum(taskSteps), done: z.number() });

/** Summarizes a recording's latest task. */
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
  /** The engine's confidence, from 0 to 1. */
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
  /** Present if the content was edited. Earlier versions are available from task/paragraph-history. */
  edited: z.literal(true).optional(),
  speaker: z.string().optional(),
  words: z.array(word).optional(),
});

/** A node of a mind map. `parentid` is empty for the root. */
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
  /** The transcript's paragraphs. Like all fields below, empty until the status is 2. */
  paragraphs: z.array(paragraph),
  title: z.string(),
  brief: z.string(),
  summary: z.string(),
  /** The versioned document with all structures. Null until the status is 2, or if there's no summary. */
  summary_json: summaryDocument.nullable(),
  keywords: z.array(z.string()),
  xmind_url: z.string().nullable(),
  xmind_json: z.array(mindNode).nullable(),
  /** Status and failure of the summary's latest regeneration, or null if it was never regenerated. */
  summarizing: z.object({ status, error: failure.nullable() }).nullable(),
  /** The speech recognition engine's display name. */
  engine: z.string().nullable(),
  /** Whole minutes charged. 0 until the status is 2. */
  minutes: z.int(),
  created_at: time,
  updated_at: time,
});

export const create = {
  body: z.object({
    /** The id of the recording. */
    id,
    /** An id of the specification, a BCP 47 tag, or `auto`. */
    language: z.string().min(1).max(35),
    /**
     * Transcribes again, at the full charge. The value is the id of the recording's latest, completed task. If it's no
     * longer the latest, the call returns the latest task, so that a retry isn't charged twice.
     */
    again: id.optional(),
    /**
     * Uploaded audio (oss/config, voice_file) to transcribe instead of the recording's own, such as a denoised version.
     * The server deletes it when the task ends.
     */
    audio_url: z.string().min(1).max(2048).optional(),
  }),
  data: z.object({ id: z.string(), language: spokenLanguage, status, progress: z.int() }),
};

/** Cancels a queued or running transcription. Returns a task that has already ended unchanged. */
export const cancel = {
  /** The id of the task, or of a recording to use its latest task. */
  body: z.object({ id }),
  data: z.object({
    id: z.string(),
    status,
    /** Whole minutes charged for the audio that the engine had processed, or 0 if it hadn't started. */
    minutes: z.int(),
  }),
};

/** Regenerates everything that's derived from the transcript's current text, such as the summary and to-dos. */
export const summarize = {
  body: z
    .object({
      /** The id of the task, or of a recording to use its latest task. */
      id,
      /** The summary's structure. If absent, it doesn't change. */
      structure: z.enum(structureIds).optional(),
      /** The template. Required with the structure `custom`. */
      template: summaryTemplate.optional(),
      /** The summary's language. Defaults to the recording's. */
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
  /** For a hit in the transcript: the paragraph's id, and its start in seconds. */
  paragraph_id: z.string().optional(),
  start_time: z.number().optional(),
});

export const search = {
  body: z.object({
    keyword: z.string().trim().min(1).max(limits.search.keywordMaxLength),
    ...paging,
  }),
  /** Recordings, newest first, each with a few matches, best first. */
  data: listOf(row.extend({ matches: z.array(match), match_count: z.int() })),
};

const ofParagraph = { id, radio_file_id: id };

export const modifyParagraph = {
  /** Either the new content or the new mark. */
  body: z
    .object({
      ...ofParagraph,
      content: z.string().max(limits.paragraph.contentMaxLength).optional(),
      is_tag: orText(is_tag).optional(),
    })
    .refine(({ content, is_tag }) => (content === undefined) !== (is_tag === undefined), {
      path: ['content'],
      error: 'send either content or is_tag',
    }),
  data: paragraph,
};

export const tag = {
  body: z.object({ ...ofParagraph, is_tag: orText(is_tag) }),
  data: paragraph,
};

/** Returns all versions of a paragraph's content, starting with the original. To roll back, write an earlier version. */
export const paragraphHistory = {
  body: z.object(ofParagraph),
  data: z.object({
    list: z.array(
      z.object({
        content: z.string(),
        /** `original` is the engine's text. A later edit on another device overrode `superseded` text. */
        state: z.enum(['original', 'applied', 'superseded']),
        /** When the user wrote this version. */
        at: time,
      }),
    ),
  }),
};

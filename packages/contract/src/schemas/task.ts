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
  /** Short-lived signed URL that supports Range, or null if the server has no audio. */
  url: z.string().nullable(),
  /** Bytes. */
  file_size: z.int(),
  /** SHA-256 of the stored file, hex, computed by the server, or null if the server has no audio. */
  sha256: z.string().nullable(),
  /**
   * SHA-256 of the audio, hex, computed by the server: of the Opus packets in order, as on a recorder, or of the
   * whole file if it is not Ogg Opus. Null if the server has no audio.
   */
  audio_sha256: z.string().nullable(),
  /** Whether phones may request its transcription automatically; absent means yes. */
  auto_transcribe: z.boolean().optional(),
  mime_type: z.string(),
  ext: z.string(),
  /** Seconds. */
  total_time: z.number(),
  peaks,
  sn: z.string(),
  client_flag: z.string(),
  /** Status of the latest task, or null if there is none. */
  status: status.nullable(),
  /** The progress of the latest task, 0 to 100. */
  progress: z.int(),
  keywords: z.array(z.string()),
  /** The user's tags, in the order of assignment. */
  tags: z.array(z.string()),
  brief: z.string(),
  /** 1 in the recycle bin. */
  is_del: z.union([z.literal(0), z.literal(1)]),
  recorded_at: time,
  created_at: time,
  updated_at: time,
  /** Increases with each change within the account. */
  rev: z.int(),
});

/** The current step of a running task, and its completed fraction, 0 to 1. */
const step = z.object({ name: z.enum(taskSteps), done: z.number() });

/** The head of a recording's latest task. */
export const taskHead = z.object({
  id: z.string(),
  language: spokenLanguage,
  status,
  /** The progress over all steps, 0 to 100. */
  progress: z.int(),
  /** Null unless status is 1. */
  step: step.nullable(),
  error: failure.nullable(),
});

export const word = z.object({
  text: z.string(),
  /** Seconds. */
  start: z.number(),
  /** Seconds. */
  end: z.number(),
  /** Confidence of the engine, 0 to 1. */
  confidence: z.number(),
});

const is_tag = z.union([z.literal(0), z.literal(1)]);

export const paragraph = z.object({
  id: z.string(),
  /** The seconds with milliseconds. */
  start_time: z.number(),
  end_time: z.number(),
  content: z.string(),
  is_tag,
  /** Set once the content is edited; task/paragraph-history returns earlier versions. */
  edited: z.literal(true).optional(),
  speaker: z.string().optional(),
  words: z.array(word).optional(),
});

/** `parentid` is empty for the root. */
export const mindNode = z.object({
  id: z.string(),
  parentid: z.string(),
  topic: z.string(),
  /** The source paragraph, for nodes from the transcript. */
  paragraph_id: z.string().optional(),
  /** Seconds. */
  start_time: z.number().optional(),
});

export const task = z.object({
  id: z.string(),
  radio_file_id: z.string(),
  language: spokenLanguage,
  status,
  progress: z.int(),
  step: step.nullable(),
  /** Set when status is 3. */
  error: failure.nullable(),
  /** Empty until status is 2, as are all fields below. */
  paragraphs: z.array(paragraph),
  title: z.string(),
  brief: z.string(),
  summary: z.string(),
  /** The versioned document of all structures, or null until status is 2, and if there is no summary. */
  summary_json: summaryDocument.nullable(),
  keywords: z.array(z.string()),
  xmind_url: z.string().nullable(),
  xmind_json: z.array(mindNode).nullable(),
  /** Status and failure of the latest regeneration of the summary, or null if it was never regenerated. */
  summarizing: z.object({ status, error: failure.nullable() }).nullable(),
  /** Speech recognition engine, as named in the interface. */
  engine: z.string().nullable(),
  /** Whole minutes charged: 0 until status is 2. */
  minutes: z.int(),
  created_at: time,
  updated_at: time,
});

export const create = {
  body: z.object({
    /** The id of the recording. */
    id,
    /** Language id of the specification, BCP-47, or `auto`. */
    language: z.string().min(1).max(35),
    /**
     * Id of the recording's latest, completed task: requests a new transcription, which is charged again. If it is no
     * longer the latest, the latest task is returned, so that a retry is not charged twice.
     */
    again: id.optional(),
    /**
     * Address of uploaded audio (oss/config, voice_file) that is transcribed instead of the recording's, such as a
     * denoised version. It belongs to this task, and is deleted when the task ends.
     */
    audio_url: z.string().min(1).max(2048).optional(),
  }),
  data: z.object({ id: z.string(), language: spokenLanguage, status, progress: z.int() }),
};

/** Cancels a queued or running transcription. An ended task is returned unchanged. */
export const cancel = {
  /** The task's id, or the recording's for its latest task. */
  body: z.object({ id }),
  data: z.object({
    id: z.string(),
    status,
    /** Whole minutes charged for the audio that the engine had processed; 0 if it had not started. */
    minutes: z.int(),
  }),
};

/** Regenerates the summary, the to-dos and all other results derived from the transcript's current text. */
export const summarize = {
  body: z
    .object({
      /** The task's id, or the recording's for its latest task. */
      id,
      /** Unchanged if absent. */
      structure: z.enum(structureIds).optional(),
      /** With `custom`. */
      template: summaryTemplate.optional(),
      /** The language of the summary; that of the recording if absent. */
      language: bcp47.optional(),
    })
    .refine(({ structure, template }) => (structure === 'custom') === (template !== undefined), {
      path: ['template'],
      error: 'only the structure "custom" requires a template',
    }),
  data: z.object({ id: z.string(), summarizing: z.object({ status }) }),
};

export const detail = {
  /** The task's id, or the recording's for its latest task. */
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
  /** Id and start in seconds of the paragraph, for a hit in the transcript. */
  paragraph_id: z.string().optional(),
  start_time: z.number().optional(),
});

export const search = {
  body: z.object({
    keyword: z.string().trim().min(1).max(limits.search.keywordMaxLength),
    ...paging,
  }),
  /** Newest first, with a few matches of each recording, best first. */
  data: listOf(row.extend({ matches: z.array(match), match_count: z.int() })),
};

const ofParagraph = { id, radio_file_id: id };

export const modifyParagraph = {
  /** Exactly one of content and is_tag. */
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

/** Returns all versions of a paragraph's content, the original first. Writing an earlier version rolls back to it. */
export const paragraphHistory = {
  body: z.object(ofParagraph),
  data: z.object({
    list: z.array(
      z.object({
        content: z.string(),
        /** `original`: the engine's text. `superseded`: overridden by a later edit on another device. */
        state: z.enum(['original', 'applied', 'superseded']),
        /** When the user wrote it. */
        at: time,
      }),
    ),
  }),
};

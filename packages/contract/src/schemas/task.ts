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

/** A recording as the server holds it. */
export const recording = z.object({
  id: z.string(),
  name: z.string(),
  ai_title: z.string(),
  source: z.int(),
  /** Short-lived and signed; null when the server holds no audio of it. Answers Range. */
  url: z.string().nullable(),
  /** Bytes. */
  file_size: z.int(),
  /** SHA-256 of the stored file, hex, as the server computed it; null when the server holds no audio of it. */
  sha256: z.string().nullable(),
  /**
   * SHA-256 of the audio, hex, as the server computed it: of the Opus packets in their order, as a recorder
   * computes it, or of the whole file where that is no Ogg Opus. Null when the server holds no audio of it.
   */
  audio_sha256: z.string().nullable(),
  /** Whether phones may have it transcribed without being asked; absent means yes. */
  auto_transcribe: z.boolean().optional(),
  mime_type: z.string(),
  ext: z.string(),
  /** Seconds. */
  total_time: z.number(),
  peaks,
  sn: z.string(),
  client_flag: z.string(),
  /** The latest task's status, or null when there never was one. */
  status: status.nullable(),
  /** The latest task's progress, 0 to 100. */
  progress: z.int(),
  keywords: z.array(z.string()),
  /** The owner's, in the order in which they were given. */
  tags: z.array(z.string()),
  brief: z.string(),
  /** 1 is in the recycle bin. */
  is_del: z.union([z.literal(0), z.literal(1)]),
  recorded_at: time,
  created_at: time,
  updated_at: time,
  /** Grows with each change within the account. */
  rev: z.int(),
});

/** Where a task under way stands: its step, and how much of that is done, 0 to 1. */
const step = z.object({ name: z.enum(taskSteps), done: z.number() });

/** The head of a recording's latest task. */
export const taskHead = z.object({
  id: z.string(),
  language: spokenLanguage,
  status,
  /** Of all steps, 0 to 100. */
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
  /** 0 to 1, how sure the engine is. */
  confidence: z.number(),
});

const is_tag = z.union([z.literal(0), z.literal(1)]);

export const paragraph = z.object({
  id: z.string(),
  /** Seconds with milliseconds. */
  start_time: z.number(),
  end_time: z.number(),
  content: z.string(),
  is_tag,
  /** Set once the content was changed: task/paragraph-history has what it was before. */
  edited: z.literal(true).optional(),
  speaker: z.string().optional(),
  words: z.array(word).optional(),
});

/** `parentid` is empty for the root. */
export const mindNode = z.object({
  id: z.string(),
  parentid: z.string(),
  topic: z.string(),
  /** Where it was said, for what was found in the transcript. */
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
  /** Empty until status is 2, like everything below. */
  paragraphs: z.array(paragraph),
  title: z.string(),
  brief: z.string(),
  summary: z.string(),
  /** The versioned document of all structures; null until status is 2, and while no summary could be made. */
  summary_json: summaryDocument.nullable(),
  keywords: z.array(z.string()),
  xmind_url: z.string().nullable(),
  xmind_json: z.array(mindNode).nullable(),
  /** The summary made again: null while it never was; its own status and failure. */
  summarizing: z.object({ status, error: failure.nullable() }).nullable(),
  /** Which engine heard it, as the interface names it. */
  engine: z.string().nullable(),
  /** Whole minutes that were charged: 0 until status is 2. */
  minutes: z.int(),
  created_at: time,
  updated_at: time,
});

export const create = {
  body: z.object({
    /** The recording's. */
    id,
    /** As the specification spells it, or BCP-47, or `auto`. */
    language: z.string().min(1).max(35),
    /**
     * The recording's latest task, which is done: transcribe again, charged again. When it is not the
     * latest any more the latest is answered, so that a retry is charged once.
     */
    again: id.optional(),
    /**
     * Address of an upload of the same recording (oss/config, voice_file) that is heard in place of its
     * audio, cleaned of noise for example. It is the task's alone, and deleted once that has ended.
     */
    audio_url: z.string().min(1).max(2048).optional(),
  }),
  data: z.object({ id: z.string(), language: spokenLanguage, status, progress: z.int() }),
};

/** Ends a queued or running transcription; one that has ended stays as it is, and is answered. */
export const cancel = {
  /** The task's id, or the recording's for its latest task. */
  body: z.object({ id }),
  data: z.object({
    id: z.string(),
    status,
    /** Whole minutes that were charged: for what the engine had been through, 0 while it was not asked. */
    minutes: z.int(),
  }),
};

/** Makes the summary, to-dos and all that is drawn from the transcript again, from its present text. */
export const summarize = {
  body: z
    .object({
      /** The task's id, or the recording's for its latest task. */
      id,
      /** As it was, if absent. */
      structure: z.enum(structureIds).optional(),
      /** With `custom`. */
      template: summaryTemplate.optional(),
      /** Of the summary; the recording's own if absent. */
      language: bcp47.optional(),
    })
    .refine(({ structure, template }) => (structure === 'custom') === (template !== undefined), {
      path: ['template'],
      error: 'a template belongs to the structure "custom", and to no other',
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

/** Where a search found its words. */
export const match = z.object({
  where: z.enum(['name', 'tag', 'keyword', 'speaker', 'summary', 'paragraph']),
  /** The text around the first hit; `start` and `length` mark the hit within it, in UTF-16 units. */
  text: z.string(),
  start: z.int(),
  length: z.int(),
  /** Of a paragraph: its id and start in seconds. */
  paragraph_id: z.string().optional(),
  start_time: z.number().optional(),
});

export const search = {
  body: z.object({
    keyword: z.string().trim().min(1).max(limits.search.keywordMaxLength),
    ...paging,
  }),
  /** Newest first; at most a few matches of each recording, best first. */
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

/** Every version of a paragraph's content, the original first; writing one back is the rollback. */
export const paragraphHistory = {
  body: z.object(ofParagraph),
  data: z.object({
    list: z.array(
      z.object({
        content: z.string(),
        /** `original` is what the engine heard. `superseded`: lost against a later edit elsewhere. */
        state: z.enum(['original', 'applied', 'superseded']),
        /** When its owner wrote it. */
        at: time,
      }),
    ),
  }),
};

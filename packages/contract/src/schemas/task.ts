import { z } from 'zod';
import { taskStatus } from '../statuses.ts';
import { id, listOf, paging, time } from './common.ts';
import { bcp47 } from './site.ts';

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
  mime_type: z.string(),
  ext: z.string(),
  /** Seconds. */
  total_time: z.number(),
  sn: z.string(),
  client_flag: z.string(),
  /** The latest task's status, or null when there never was one. */
  status: status.nullable(),
  /** The latest task's progress, 0 to 100. */
  progress: z.int(),
  keywords: z.array(z.string()),
  brief: z.string(),
  recorded_at: time,
  created_at: time,
  updated_at: time,
  /** Grows with each change within the account. */
  rev: z.int(),
});

/** The head of a recording's latest task. */
export const taskHead = z.object({
  id: z.string(),
  language: bcp47,
  status,
  progress: z.int(),
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

export const paragraph = z.object({
  id: z.string(),
  /** Seconds with milliseconds. */
  start_time: z.number(),
  end_time: z.number(),
  content: z.string(),
  is_tag: z.union([z.literal(0), z.literal(1)]),
  speaker: z.string().optional(),
  words: z.array(word).optional(),
});

export const mindNode = z.object({ id: z.string(), parentid: z.string(), topic: z.string() });

export const task = z.object({
  id: z.string(),
  radio_file_id: z.string(),
  language: bcp47,
  status,
  progress: z.int(),
  /** Set when status is 3. */
  error: failure.nullable(),
  /** Empty until status is 2, like everything below. */
  paragraphs: z.array(paragraph),
  title: z.string(),
  brief: z.string(),
  summary: z.string(),
  /** The versioned document of all structures; null until status is 2. */
  summary_json: z.json().nullable(),
  keywords: z.array(z.string()),
  xmind_url: z.string().nullable(),
  xmind_json: z.array(mindNode).nullable(),
  /** Which engine heard it, as the interface names it. */
  engine: z.string().nullable(),
  /** Whole minutes that were charged: 0 until status is 2. */
  minutes: z.int(),
  created_at: time,
  updated_at: time,
});

export const create = {
  /** id: the recording's. language: as the specification spells it, or BCP-47. */
  body: z.object({ id, language: z.string().min(1).max(35) }),
  data: z.object({ id: z.string(), language: bcp47, status, progress: z.int() }),
};

export const detail = {
  /** The task's id, or the recording's for its latest task. */
  body: z.object({ id }),
  data: task,
};

export const index = {
  body: z.object({ ...paging, ids: z.array(id).max(1000).optional() }),
  data: listOf(recording.extend({ task: taskHead.nullable() })),
};

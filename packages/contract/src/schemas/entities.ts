/** Objects returned by several groups of calls. */
import { z } from 'zod';
import { scenes, taskStatus } from '../statuses.ts';
import { taskSteps } from '../structures.ts';
import { peaks, time } from './common.ts';
import { spokenLanguage } from './site.ts';
import { summaryDocument } from './summary.ts';

export const status = z
  .union([
    z.literal(taskStatus.queued),
    z.literal(taskStatus.working),
    z.literal(taskStatus.transcribed),
    z.literal(taskStatus.failed),
  ])
  .meta({
    id: 'TaskStatus',
    description:
      'The status of a task: 0 queued, 1 working, 2 transcribed, 3 failed. Only status 2 has results.',
  });
export const failure = z.object({ code: z.int(), msg: z.string() }).meta({
  id: 'TaskFailure',
  description: 'Why a task failed: an error code, and a message in English.',
});

export const recording = z
  .object({
    id: z
      .string()
      .describe(
        "The recording's ID on the server, for the calls radio/* and task/*. For sync/apply, use `client_flag` instead.",
      ),
    name: z.string().describe("The name given by the user, or '' if the recording has none."),
    ai_title: z
      .string()
      .describe("The title generated with the summary, or '' if the recording has no summary."),
    source: z.int().describe('1 for a call. Any other value, usually 0, means a note.'),
    scene: z
      .enum(scenes)
      .optional()
      .describe("The recording's type. Older servers don't return it."),
    url: z
      .string()
      .nullable()
      .describe(
        "A short-lived signed URL that supports Range, or null if there's no audio on the server.",
      ),
    file_size: z.int().describe("The audio file's size in bytes."),
    sha256: z
      .string()
      .nullable()
      .describe(
        "The audio file's SHA-256 in hex, computed by the server, or null if it has no audio.",
      ),
    audio_sha256: z
      .string()
      .nullable()
      .describe(
        "The audio's SHA-256 in hex, computed by the server, or null if it has no audio. Covers the Opus packets in order, as on a recorder, or the whole file if it isn't Ogg Opus.",
      ),
    auto_transcribe: z
      .boolean()
      .optional()
      .describe('True (the default) if phones may request a transcription automatically.'),
    mime_type: z.string(),
    ext: z.string(),
    total_time: z.number().describe('Duration in whole seconds. Older servers return fractions.'),
    peaks,
    sn: z.string().describe("The serial number of the recorder, or '' if none."),
    client_flag: z
      .string()
      .describe("The ID assigned by the client, for sync/apply. It's the same on every device."),
    status: status
      .nullable()
      .describe("The latest task's status, or null if the recording was never transcribed."),
    progress: z.int().describe("The latest task's progress, from 0 to 100."),
    keywords: z.array(z.string()),
    tags: z.array(z.string()).describe("The user's tags, in the order they were added."),
    brief: z.string().describe("A short version of the summary, or '' if there is no summary."),
    is_del: z
      .union([z.literal(0), z.literal(1)])
      .describe('1 if the recording is in the recycle bin, otherwise 0.'),
    is_archived: z
      .union([z.literal(0), z.literal(1)])
      .optional()
      .describe(
        "1 if the recording is archived: hidden from the app's list, but included in searches and questions. Older servers don't return this field.",
      ),
    is_protected: z
      .union([z.literal(0), z.literal(1)])
      .optional()
      .describe(
        "1 if the recording is protected: retention rules never move it to the recycle bin. Older servers don't return this field.",
      ),
    recorded_at: time,
    created_at: time,
    updated_at: time,
    rev: z
      .int()
      .describe(
        "The account's revision at the recording's latest change. Every change in the account increases the revision.",
      ),
  })
  .meta({ id: 'Recording', description: 'A recording as stored on the server.' });

const step = z
  .object({
    name: z.enum(taskSteps),
    done: z.number(),
    waiting_since: time
      .optional()
      .describe(
        'When the step started waiting for an unavailable service, such as speech recognition. The step continues automatically when the service is available. Absent while the step is running.',
      ),
  })
  .meta({
    id: 'TaskStep',
    description: "A running task's current step and its progress, from 0 to 1.",
  });

const range = z
  .object({
    transcript: z.string().describe('The ID of the task whose transcript contains the paragraphs.'),
    start: z.number().describe('The start of the audio, in seconds.'),
    end: z.number().describe('The end of the audio, in seconds.'),
  })
  .meta({
    id: 'TaskRange',
    description:
      'The part of a recording that a task transcribes again. If the task fails, the transcript remains unchanged.',
  });

export const taskHead = z
  .object({
    id: z.string(),
    language: spokenLanguage,
    range: range
      .optional()
      .describe(
        'Absent if the task transcribes the whole recording. With a range, `language` is the language of the existing transcript.',
      ),
    status,
    progress: z.int().describe('The progress over all steps, from 0 to 100.'),
    step: step.nullable().describe('The current step. Null unless the status is 1.'),
    error: failure.nullable(),
  })
  .meta({ id: 'TaskHead', description: "Summarizes a recording's latest task." });

export const word = z
  .object({
    text: z.string(),
    start: z.number().describe('The start, in seconds.'),
    end: z.number().describe('The end, in seconds.'),
    confidence: z.number().describe("The engine's confidence, from 0 to 1."),
  })
  .meta({ id: 'Word', description: 'A spoken word.' });

export const is_tag = z
  .union([z.literal(0), z.literal(1)])
  .describe('1 if the paragraph is highlighted, otherwise 0.');

export const paragraph = z
  .object({
    id: z.string(),
    start_time: z.number().describe('The start in seconds, with three decimal places.'),
    end_time: z.number().describe('The end in seconds.'),
    content: z.string(),
    is_tag,
    edited: z
      .literal(true)
      .optional()
      .describe(
        "Present if the content differs from the engine's text. Earlier versions are available from task/paragraph-history.",
      ),
    speaker: z
      .string()
      .optional()
      .describe("The speaker's label. Absent if speakers weren't distinguished."),
    words: z
      .array(word)
      .optional()
      .describe(
        'The words of the content with their timestamps. Absent if the content was edited.',
      ),
  })
  .meta({ id: 'Paragraph', description: 'A paragraph of a transcript.' });

export const mindNode = z
  .object({
    id: z.string(),
    parentid: z.string(),
    topic: z.string(),
    paragraph_id: z.string().optional().describe('The paragraph that the node was generated from.'),
    start_time: z.number().optional().describe('The start of that paragraph, in seconds.'),
  })
  .meta({ id: 'MindNode', description: 'A node of a mind map. `parentid` is empty for the root.' });

export const task = z
  .object({
    id: z.string(),
    radio_file_id: z.string().describe('The ID of the recording.'),
    language: spokenLanguage,
    status,
    progress: z.int(),
    step: step.nullable(),
    error: failure.nullable().describe('Why the task failed, if the status is 3.'),
    paragraphs: z
      .array(paragraph)
      .describe(
        "The transcript's paragraphs. This and the following result fields are empty until the status is 2.",
      ),
    title: z.string(),
    brief: z.string(),
    summary: z.string(),
    summary_json: summaryDocument
      .nullable()
      .describe(
        "The summary as a versioned document with all its structures. Null until the status is 2, or if there's no summary.",
      ),
    keywords: z.array(z.string()),
    xmind_url: z
      .string()
      .nullable()
      .describe(
        "A signed URL of the current mind map, including the user's edits, as an XMind file. Null if there is no mind map.",
      ),
    mind_src_url: z
      .string()
      .nullable()
      .optional()
      .describe(
        'A signed URL of the mind map as a Markdown outline. Null if there is no mind map. Absent on older servers.',
      ),
    mind_pic_url: z
      .string()
      .nullable()
      .optional()
      .describe(
        'A signed URL of the mind map as an SVG image. Null if there is no mind map. Absent on older servers.',
      ),
    xmind_json: z
      .array(mindNode)
      .nullable()
      .describe('The nodes of the mind map, or null if there is no mind map.'),
    summarizing: z
      .object({ status, error: failure.nullable() })
      .nullable()
      .describe(
        'Status and error of the latest regeneration of the summary, or null if it was never regenerated.',
      ),
    engine: z.string().nullable().describe("The speech recognition engine's display name."),
    minutes: z.int().describe('Whole minutes charged. 0 until the status is 2.'),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Task', description: 'A transcription with its results.' });

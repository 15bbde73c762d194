import type { Paragraph, Task, TaskHead } from '@linnet/contract';
import { codeName } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import type { Row } from '../../db/database.ts';
import { defaultMessages } from '../../http/failure.ts';
import type { MindMapFormat } from './mind-map-files.ts';

/** Converts a stored error code to a failure for API responses. */
export function toFailure(code: number | null): { code: number; msg: string } | null {
  if (code === null) return null;
  return { code, msg: defaultMessages[codeName(code) ?? 'internal'] };
}

/** Returns the current step of a task in progress, or null for any other task. */
export function getCurrentStep({
  status,
  step,
  step_done: done,
  waiting_since: since,
}: Pick<Row<'tasks'>, 'status' | 'step' | 'step_done' | 'waiting_since'>): TaskHead['step'] {
  if (status !== taskStatus.working || step === null) return null;
  return { name: step, done, ...(since && { waiting_since: since.toISOString() }) };
}

/** Returns a signed URL for a task's mind map in a format. */
export type SignMindMap = (taskId: string, format: MindMapFormat) => string;

/**
 * Converts a task to the contract's `Task`.
 * @param hasOwnMap whether the user has edited the mind map
 */
export function toTask(
  row: Row<'tasks'>,
  paragraphs: readonly Row<'paragraphs'>[],
  hasOwnMap: boolean,
  signMap: SignMindMap,
): Task {
  const hasMap = hasOwnMap || row.xmind_json !== null;
  const mapUrl = (format: MindMapFormat) => (hasMap ? signMap(row.id, format) : null);
  return {
    id: row.id,
    radio_file_id: row.recording_id,
    language: row.language,
    status: row.status,
    progress: row.progress,
    step: getCurrentStep(row),
    error: toFailure(row.error_code),
    paragraphs: paragraphs.map(toParagraph),
    title: row.title,
    brief: row.brief,
    summary: row.summary,
    summary_json: row.summary_json,
    keywords: row.keywords,
    xmind_url: mapUrl('xmind'),
    mind_src_url: mapUrl('md'),
    mind_pic_url: mapUrl('svg'),
    xmind_json: row.xmind_json,
    summarizing:
      row.summary_status === null
        ? null
        : { status: row.summary_status, error: toFailure(row.summary_error_code) },
    engine: row.engine,
    minutes: row.minutes,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Converts a paragraph to the contract's `Paragraph`. The word timings are omitted if the text was edited. */
export function toParagraph(row: Row<'paragraphs'>): Paragraph {
  const isEdited = row.original !== null && row.original !== row.content;
  return {
    id: row.id,
    start_time: row.start_time,
    end_time: row.end_time,
    content: row.content,
    is_tag: row.is_tag,
    ...(row.speaker !== null && { speaker: row.speaker }),
    ...(isEdited ? { edited: true as const } : { words: row.words }),
  };
}

/**
 * Converts a paragraph for sync/changes. Phones always get the word timings, because they reuse the timings of words
 * that an edit didn't change. `edited` tells them that there are earlier versions.
 */
export function toSyncedParagraph(row: Row<'paragraphs'>): Paragraph {
  return {
    ...toParagraph(row),
    ...(row.original !== null && { edited: true as const }),
    words: row.words,
  };
}

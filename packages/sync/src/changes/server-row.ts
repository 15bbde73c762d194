import type { RecordingState, Task, TaskHead } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { autoLanguage } from '@linnet/contract/languages';
import { taskStatus } from '@linnet/contract/statuses';
import { type CopyReports, parseSha256 } from '../copies.ts';
import type { RecordPatch } from '../ports/records.ts';
import { isLocal, isTrans, type Problem, type RecordWork } from '../record.ts';
import type { Editable } from './operations.ts';

/** The part of a record's local state that determines how a server row is applied. */
export type LocalState = Pick<RecordWork, 'task'> & {
  readonly is_trans: number;
  /** The language of a transcription not yet requested from the server, or null. */
  readonly requestedLanguage: string | null;
  /** The ID of the task whose results are shown, or null. */
  readonly results: string | null;
};

/** Returns the editable fields of a server row. */
export function editableFields(row: RecordingState): Editable {
  const { name, recorded_at, tags, is_del, place, speakers, markers, ticks, mind_map } = row;
  const {
    words = [],
    notes = [],
    language = null,
    proposals = {},
    unplaced = [],
    is_archived = 0,
    is_protected = 0,
  } = row;
  const texts = { title: name, create_date: recorded_at, language };
  const marked = { tags, words, place, markers, notes, ticks, mind_map, unplaced };
  return { ...texts, ...marked, is_del, is_archived, is_protected, speakers, proposals };
}

/** Returns the patch that a server row applies to a record, except for the editable fields. */
export function serverPatch(row: RecordingState, local: LocalState): RecordPatch {
  return {
    is_local: isLocal.onServer,
    server_id: row.id,
    server_url: row.url ?? '',
    ai_title: row.ai_title,
    keywords: row.keywords,
    brief: row.brief,
    copies: { cloud: cloudCopy(row) },
    ...(row.binned_by !== undefined && { binned_by: row.binned_by }),
    ...(row.auto_transcribe !== undefined && { autoTranscribe: row.auto_transcribe }),
    ...(row.task ? taskPatch(row.task, local) : lostTaskPatch(local)),
  };
}

/** Returns the state of the cloud's copy as reported by the server; absent if the object was deleted. */
export function cloudCopy(
  row: Pick<RecordingState, 'url' | 'file_size' | 'audio_sha256'>,
): CopyReports['cloud'] {
  if (!row.url) return { status: 'absent' };
  return { status: 'stored', bytes: row.file_size, sha256: parseSha256(row.audio_sha256) };
}

/**
 * Returns the patch for the latest task's state. The record counts as transcribed as soon as the server has the results,
 * because they're changes of their own, which may arrive on a later page. There's no need to poll for them.
 */
function taskPatch(head: NonNullable<RecordingState['task']>, local: LocalState): RecordPatch {
  const { id, language, progress } = head;
  const task = { id, language };
  if (head.status === taskStatus.failed && head.range) return failedRangePatch(head, local);
  if (head.status === taskStatus.failed) {
    // The user has already seen this failure and requested another transcription.
    if (local.requestedLanguage !== null && local.task?.id === id) return {};
    const { code, msg } = head.error ?? { code: 0, msg: '' };
    if (code === codes.transcriptionCanceled) return canceledPatch(task, local);
    const problem: Problem = {
      step: 'transcribe',
      code: 'failed',
      failure: { kind: 'server', code, msg },
    };
    return { task, is_trans: isTrans.failed, process: progress, problem };
  }
  const request = local.results === id ? {} : clearFulfilledRequest(head, local);
  if (local.results !== id && head.status !== taskStatus.transcribed) {
    return { task, is_trans: isTrans.transferring, process: progress, problem: null, ...request };
  }
  const isShown = local.task?.id === id && local.is_trans === isTrans.translated;
  if (isShown) return {};
  return { task, is_trans: isTrans.translated, process: 100, problem: null, ...request };
}

/**
 * Returns the patch for a row without a task. A server that was restored from a backup can lack a task whose results this
 * phone was still to receive.
 */
function lostTaskPatch({ results, is_trans }: LocalState): RecordPatch {
  const isLost = results === null && is_trans === isTrans.translated;
  return isLost ? { task: null, is_trans: isTrans.untranslated, process: 0 } : {};
}

/**
 * Returns the patch for a failed or canceled transcription of a range, which leaves the transcript unchanged. Only
 * phones that have shown its progress report the failure.
 */
function failedRangePatch(
  { id, language, range, error }: NonNullable<RecordingState['task']>,
  { results, task, is_trans }: LocalState,
): RecordPatch {
  const transcript = { id: range?.transcript ?? id, language };
  if (results === null) return { task: transcript, is_trans: isTrans.translated, process: 100 };
  const wasShown = task?.id === id && is_trans === isTrans.transferring;
  return wasShown ? endOfFailedRange(transcript, error) : {};
}

/** Returns the patch that restores a record's transcript after a range failed, with the reason for the failure. */
export function endOfFailedRange(
  transcript: { id: string; language: string },
  error: TaskHead['error'],
): RecordPatch {
  const { code, msg } = error ?? { code: codes.engineFailed, msg: '' };
  const failure = { kind: 'server', code, msg } as const;
  const isCanceled = code === codes.transcriptionCanceled;
  return {
    task: transcript,
    is_trans: isTrans.translated,
    process: 100,
    problem: isCanceled ? null : { step: 'transcribe', code: 'range_failed', failure },
  };
}

/**
 * Returns the patch for a canceled task. A cancellation isn't a failure: the record shows its existing transcript.
 * Without a transcript, it keeps the task so that transcription doesn't restart automatically.
 */
function canceledPatch(
  task: { id: string; language: string },
  { results }: LocalState,
): RecordPatch {
  return results === null
    ? { task, is_trans: isTrans.untranslated, process: 0, problem: null }
    : {
        task: { id: results, language: task.language },
        is_trans: isTrans.translated,
        process: 100,
        problem: null,
      };
}

/**
 * Clears the requested language if a task fulfills the request. A task in that language that this phone doesn't know
 * was created by another phone, or the response to this phone's request was lost. Requesting it again would charge the
 * user twice.
 */
function clearFulfilledRequest(
  { id, language, range }: Pick<TaskHead, 'id' | 'language' | 'range'>,
  local: LocalState,
): RecordPatch {
  // A range fulfills no request for the whole recording, unless this phone doesn't know its transcript either.
  if (range && local.task !== null) return {};
  const isRequested =
    local.requestedLanguage === language || local.requestedLanguage === autoLanguage;
  return local.task?.id !== id && isRequested ? { requestedLanguage: null } : {};
}

/** Returns the patch for a task's results, except for the paragraphs. */
export function resultsPatch(task: Omit<Task, 'paragraphs'>, local: LocalState): RecordPatch {
  // A task without a summary has no title or description either, so the recording keeps its previous ones.
  const hasDescription = task.summary_json !== null || task.title !== '';
  // If a later task is already running, the record shows that task's state, unless it was canceled.
  const isLaterTaskCanceled =
    local.is_trans === isTrans.untranslated && local.requestedLanguage === null;
  const isLatest = local.task === null || local.task.id === task.id || isLaterTaskCanceled;
  return {
    ...(hasDescription && { ai_title: task.title, brief: task.brief, keywords: task.keywords }),
    summary: task.summary,
    summary_json: task.summary_json === null ? null : JSON.stringify(task.summary_json),
    mind_src_url: task.mind_src_url ?? '',
    mind_pic_url: task.mind_pic_url ?? '',
    xmind_json: task.xmind_json,
    ...(isLatest && {
      task: { id: task.id, language: task.language },
      is_trans: isTrans.translated,
      process: 100,
      problem: null,
      ...clearFulfilledRequest(task, local),
    }),
  };
}

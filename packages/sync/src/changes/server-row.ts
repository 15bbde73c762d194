import type { RecordingState, Task } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { autoLanguage } from '@linnet/contract/languages';
import { taskStatus } from '@linnet/contract/statuses';
import { asSha256, type CopyReports } from '../copies.ts';
import type { RecordPatch } from '../ports.ts';
import { isLocal, isTrans, type RecordWork, type Trouble } from '../record.ts';
import type { Editable } from './operations.ts';

/** The local state of a record, to which a row of the server is applied. */
export type LocalState = Pick<RecordWork, 'task'> & {
  readonly is_trans: number;
  /** The requested language of a transcript that the server does not know of yet; null if there is none. */
  readonly requestedLanguage: string | null;
  /** The task whose results are shown, or null. */
  readonly results: string | null;
};

/** Returns the editable fields of a server row. */
export function editableFields(row: RecordingState): Editable {
  const { name, tags, is_del, place, speakers, markers, ticks, mind_map } = row;
  return { title: name, tags, is_del, place, speakers, markers, ticks, mind_map };
}

/** Returns the patch of a server row, without the editable fields. */
export function serverPatch(row: RecordingState, local: LocalState): RecordPatch {
  return {
    is_local: isLocal.onServer,
    server_id: row.id,
    server_url: row.url ?? '',
    ai_title: row.ai_title,
    keywords: row.keywords,
    brief: row.brief,
    copies: { cloud: cloudCopy(row) },
    ...(row.auto_transcribe !== undefined && { autoTranscribe: row.auto_transcribe }),
    ...(row.task && taskPatch(row.task, local)),
  };
}

/** Returns the server's copy as reported; absent once its object was deleted. */
export function cloudCopy(
  row: Pick<RecordingState, 'url' | 'file_size' | 'audio_sha256'>,
): CopyReports['cloud'] {
  if (!row.url) return { status: 'absent' };
  return { status: 'stored', bytes: row.file_size, sha256: asSha256(row.audio_sha256) };
}

/** Returns the patch of the latest task, which counts as transcribed once its results are on the phone. */
function taskPatch(head: NonNullable<RecordingState['task']>, local: LocalState): RecordPatch {
  const { id, language, progress } = head;
  const task = { id, language };
  if (head.status === taskStatus.failed) {
    // The user has seen this failure and requested another transcription.
    if (local.requestedLanguage !== null && local.task?.id === id) return {};
    const { code, msg } = head.error ?? { code: 0, msg: '' };
    if (code === codes.transcriptionCanceled) return canceledPatch(task, local);
    const trouble: Trouble = {
      step: 'transcribe',
      code: 'failed',
      failure: { kind: 'server', code, msg },
    };
    return { task, is_trans: isTrans.failed, process: progress, trouble };
  }
  if (local.results !== id) {
    return {
      ...{ task, is_trans: isTrans.transferring, process: progress, trouble: null },
      ...fulfilled(head, local),
    };
  }
  const known = local.task?.id === id && local.is_trans === isTrans.translated;
  return known ? {} : { task, is_trans: isTrans.translated, process: 100, trouble: null };
}

/**
 * Returns the patch of a canceled task, which is no failure: the record shows its existing transcript. Without one, it
 * keeps the task, so that transcription does not restart automatically.
 */
function canceledPatch(
  task: { id: string; language: string },
  { results }: LocalState,
): RecordPatch {
  return results === null
    ? { task, is_trans: isTrans.untranslated, process: 0, trouble: null }
    : {
        task: { id: results, language: task.language },
        is_trans: isTrans.translated,
        process: 100,
        trouble: null,
      };
}

/**
 * Clears the request that a task fulfills. An unknown task in the requested language was created by a request whose
 * response was lost, or by another phone. A second request would be charged again.
 */
function fulfilled(
  { id, language }: Pick<Task, 'id' | 'language'>,
  local: LocalState,
): RecordPatch {
  const isRequested =
    local.requestedLanguage === language || local.requestedLanguage === autoLanguage;
  return local.task?.id !== id && isRequested ? { requestedLanguage: null } : {};
}

/** Returns the patch of a task's results, without its paragraphs. */
export function resultsPatch(task: Omit<Task, 'paragraphs'>, local: LocalState): RecordPatch {
  return {
    // Without a summary there is no name or description: the recording keeps its previous ones.
    ...((task.summary_json !== null || task.title !== '') && {
      ai_title: task.title,
      brief: task.brief,
      keywords: task.keywords,
    }),
    summary: task.summary,
    summary_json: task.summary_json === null ? null : JSON.stringify(task.summary_json),
    mind_src_url: task.xmind_url ?? '',
    xmind_json: task.xmind_json,
    // If a later task is already running, the record shows its state, unless it was canceled.
    ...((local.task === null ||
      local.task.id === task.id ||
      (local.is_trans === isTrans.untranslated && local.requestedLanguage === null)) && {
      task: { id: task.id, language: task.language },
      is_trans: isTrans.translated,
      process: 100,
      trouble: null,
      ...fulfilled(task, local),
    }),
  };
}

import type { RecordingState, Task } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { autoLanguage } from '@linnet/contract/languages';
import { taskStatus } from '@linnet/contract/statuses';
import { asSha256, type CopyReports } from '../copies.ts';
import type { RecordPatch } from '../ports.ts';
import { isLocal, isTrans, type RecordWork, type Trouble } from '../record.ts';
import type { Editable } from './operations.ts';

/** The phone's state of a record that a row of the server is applied to. */
export type Here = Pick<RecordWork, 'task'> & {
  readonly is_trans: number;
  /** The requested language of a transcript that the server does not know of yet; null if there is none. */
  readonly wanted: string | null;
  /** The task whose results are shown, or null. */
  readonly results: string | null;
};

/** The editable fields of a row of the server. */
export function editableOf(row: RecordingState): Editable {
  const { name, tags, is_del, place, speakers, markers, ticks, mind_map } = row;
  return { title: name, tags, is_del, place, speakers, markers, ticks, mind_map };
}

/** The patch of a row of the server, without the editable fields. */
export function serverPatch(row: RecordingState, here: Here): RecordPatch {
  return {
    is_local: isLocal.onServer,
    server_id: row.id,
    server_url: row.url ?? '',
    ai_title: row.ai_title,
    keywords: row.keywords,
    brief: row.brief,
    copies: { cloud: cloudCopy(row) },
    ...(row.auto_transcribe !== undefined && { autoTranscribe: row.auto_transcribe }),
    ...(row.task && taskPatch(row.task, here)),
  };
}

/** The server's copy as it reports it; absent once its object is gone. */
export function cloudCopy(
  row: Pick<RecordingState, 'url' | 'file_size' | 'audio_sha256'>,
): CopyReports['cloud'] {
  if (!row.url) return { status: 'absent' };
  return { status: 'stored', bytes: row.file_size, sha256: asSha256(row.audio_sha256) };
}

/** The patch of the latest task. It counts as transcribed once its results are on the phone. */
function taskPatch(head: NonNullable<RecordingState['task']>, here: Here): RecordPatch {
  const { id, language, progress } = head;
  const task = { id, language };
  if (head.status === taskStatus.failed) {
    // The user saw that and has requested another one.
    if (here.wanted !== null && here.task?.id === id) return {};
    const { code, msg } = head.error ?? { code: 0, msg: '' };
    if (code === codes.transcriptionCanceled) return canceledPatch(task, here);
    const trouble: Trouble = {
      step: 'transcribe',
      code: 'failed',
      failure: { kind: 'server', code, msg },
    };
    return { task, is_trans: isTrans.failed, process: progress, trouble };
  }
  if (here.results !== id) {
    return {
      ...{ task, is_trans: isTrans.transferring, process: progress, trouble: null },
      ...fulfilled(head, here),
    };
  }
  const known = here.task?.id === id && here.is_trans === isTrans.translated;
  return known ? {} : { task, is_trans: isTrans.translated, process: 100, trouble: null };
}

/**
 * A canceled task is no failure: the record shows the transcript that it has. Without one it keeps the task, so that
 * transcription does not start again automatically.
 */
function canceledPatch(task: { id: string; language: string }, { results }: Here): RecordPatch {
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
 * Clears the request that a task fulfills. A task unknown to this phone in the requested language was made by a request
 * whose answer was lost, or by another phone. Requesting it again would be charged again.
 */
function fulfilled({ id, language }: Pick<Task, 'id' | 'language'>, here: Here): RecordPatch {
  const asWanted = here.wanted === language || here.wanted === autoLanguage;
  return here.task?.id !== id && asWanted ? { wantedLanguage: null } : {};
}

/** The patch of a task's results, without its paragraphs. */
export function resultsPatch(task: Omit<Task, 'paragraphs'>, here: Here): RecordPatch {
  return {
    // Without a summary there is no name or description: the recording keeps what it had.
    ...((task.summary_json !== null || task.title !== '') && {
      ai_title: task.title,
      brief: task.brief,
      keywords: task.keywords,
    }),
    summary: task.summary,
    summary_json: task.summary_json === null ? null : JSON.stringify(task.summary_json),
    mind_src_url: task.xmind_url ?? '',
    xmind_json: task.xmind_json,
    // If a later task is running already, the record shows the state of that, unless it was canceled.
    ...((here.task === null ||
      here.task.id === task.id ||
      (here.is_trans === isTrans.untranslated && here.wanted === null)) && {
      task: { id: task.id, language: task.language },
      is_trans: isTrans.translated,
      process: 100,
      trouble: null,
      ...fulfilled(task, here),
    }),
  };
}

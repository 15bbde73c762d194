import type { RecordingState, Task } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { autoLanguage } from '@linnet/contract/languages';
import { taskStatus } from '@linnet/contract/statuses';
import { asSha256, type CopyReports } from '../copies.ts';
import type { RecordPatch } from '../ports.ts';
import { isLocal, isTrans, type RecordWork, type Trouble } from '../record.ts';
import type { Editable } from './operations.ts';

/** What a phone has of a record when the server tells of it. */
export type Here = Pick<RecordWork, 'task'> & {
  readonly is_trans: number;
  /** The language a transcript is wanted in, of which the server was not told yet; null when none is. */
  readonly wanted: string | null;
  /** The task whose results are shown, or null. */
  readonly results: string | null;
};

/** What the owner's edits have come to on the server. */
export function editableOf(row: RecordingState): Editable {
  const { name, tags, is_del, place, speakers, markers, ticks, mind_map } = row;
  return { title: name, tags, is_del, place, speakers, markers, ticks, mind_map };
}

/** What a row of the server changes on the phone, the owner's edits apart. */
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

/** Where the latest task stands. It counts as transcribed once its results are here too. */
function taskPatch(head: NonNullable<RecordingState['task']>, here: Here): RecordPatch {
  const { id, language, progress } = head;
  const task = { id, language };
  if (head.status === taskStatus.failed) {
    // Its owner saw that, and asked for another one since.
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
      ...met(head, here),
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
 * A task that this phone has not heard of is the one that is wanted, if the language is: the answer to
 * asking for it was lost, or another phone asked. Asking again would be charged again.
 */
function met({ id, language }: Pick<Task, 'id' | 'language'>, here: Here): RecordPatch {
  const asWanted = here.wanted === language || here.wanted === autoLanguage;
  return here.task?.id !== id && asWanted ? { wantedLanguage: null } : {};
}

/** What the results of a task change, its paragraphs apart. */
export function resultsPatch(task: Omit<Task, 'paragraphs'>, here: Here): RecordPatch {
  return {
    // A transcript without a summary names and describes nothing: the recording keeps what it had.
    ...((task.summary_json !== null || task.title !== '') && {
      ai_title: task.title,
      brief: task.brief,
      keywords: task.keywords,
    }),
    summary: task.summary,
    summary_json: task.summary_json === null ? null : JSON.stringify(task.summary_json),
    mind_src_url: task.xmind_url ?? '',
    xmind_json: task.xmind_json,
    // A later task may be under way already; then its state is what the record shows, unless it was canceled.
    ...((here.task === null ||
      here.task.id === task.id ||
      (here.is_trans === isTrans.untranslated && here.wanted === null)) && {
      task: { id: task.id, language: task.language },
      is_trans: isTrans.translated,
      process: 100,
      trouble: null,
      ...met(task, here),
    }),
  };
}

import type { Recording, TaskHead } from '@linnet/contract';
import { wholeSeconds } from '@linnet/contract/durations';
import { getScene } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Row } from '../../db/database.ts';
import type { TaskRange } from '../task/range.ts';
import { getCurrentStep, toFailure } from '../task/view.ts';
import { hasAudio } from './stored-audio.ts';

/** The columns of a task's `TaskHead`, except for the ID. */
export const taskHeadColumns = [
  'language',
  'range',
  'status',
  'progress',
  'step',
  'step_done',
  'waiting_since',
  'error_code',
] as const satisfies (keyof Row<'tasks'>)[];
/** A recording's latest task, reduced to its `TaskHead`. */
export type LatestTask = Pick<Row<'tasks'>, 'id' | (typeof taskHeadColumns)[number]>;

/** SQL expression for a recording's display name: the name given by the user, or else the generated title. */
export const displayName = sql<string>`coalesce(nullif(recordings.name, ''), recordings.ai_title)`;
/** Returns the display name, computed from a row. */
export const getDisplayName = (row: Pick<Row<'recordings'>, 'name' | 'ai_title'>) =>
  row.name || row.ai_title;

/** Returns a signed download URL for an object. */
export type Sign = (key: string) => string;

/** The columns that API calls return. The other editable columns are returned only by sync/changes. */
export const recordingColumns = [
  'id',
  'name',
  'ai_title',
  'source',
  'scene',
  'object_key',
  'file_size',
  'sha256',
  'audio_sha256',
  'lost_at',
  'auto_transcribe',
  'mime_type',
  'ext',
  'total_time',
  'peaks',
  'sn',
  'client_flag',
  'keywords',
  'tags',
  'brief',
  'is_del',
  'is_protected',
  'is_archived',
  'recorded_at',
  'created_at',
  'updated_at',
  'rev',
] as const satisfies (keyof Row<'recordings'>)[];

/** Converts a recording to the contract's `Recording`. */
export function toRecording(
  row: Pick<Row<'recordings'>, (typeof recordingColumns)[number]>,
  task: LatestTask | null,
  sign: Sign,
): Recording {
  // Report lost audio as missing, so a phone uploads it again.
  const key = hasAudio(row) ? row.object_key : null;
  return {
    id: row.id,
    name: row.name,
    ai_title: row.ai_title,
    source: row.source,
    scene: getScene(row),
    url: key === null ? null : sign(key),
    file_size: row.file_size,
    sha256: key === null ? null : row.sha256,
    audio_sha256: key === null ? null : row.audio_sha256,
    auto_transcribe: row.auto_transcribe,
    mime_type: row.mime_type,
    ext: row.ext,
    total_time: wholeSeconds(row.total_time),
    peaks: row.peaks,
    sn: row.sn,
    client_flag: row.client_flag,
    status: task?.status ?? null,
    progress: task?.progress ?? 0,
    keywords: row.keywords,
    tags: row.tags,
    brief: row.brief,
    is_del: row.is_del,
    is_protected: row.is_protected,
    is_archived: row.is_archived,
    recorded_at: row.recorded_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    rev: row.rev,
  };
}

const toRange = ({ transcript, start, end }: TaskRange): TaskHead['range'] => {
  return { transcript, start, end };
};

/** Converts a task to the contract's `TaskHead`. */
export function toTaskHead(task: LatestTask): TaskHead {
  return {
    id: task.id,
    language: task.language,
    ...(task.range && { range: toRange(task.range) }),
    status: task.status,
    progress: task.progress,
    step: getCurrentStep(task),
    error: toFailure(task.error_code),
  };
}

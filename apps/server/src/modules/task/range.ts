/** Transcribes a range of paragraphs again, replacing only these paragraphs of a transcript. */
import type { CallInput } from '@linnet/contract';
import { audioForRange } from '@linnet/contract/durations';
import type { SpokenLanguage } from '@linnet/contract/languages';
import { limits } from '@linnet/contract/limits';
import { taskStatus } from '@linnet/contract/statuses';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Queries, Row, Transaction } from '../../db/database.ts';
import type { Tables } from '../../db/schema.ts';
import { CallError } from '../../http/failure.ts';
import { readParagraphs } from '../sync/carry-over/rows.ts';
import { isActive } from './active-tasks.ts';

/** A range of paragraphs to transcribe again. Times are in seconds from the start of the recording. */
export interface TaskRange {
  /** ID of the task whose transcript contains the paragraphs. */
  readonly transcript: string;
  /** ID of the first paragraph. `to` is the ID of the last. */
  readonly from: string;
  readonly to: string;
  /** Start of the audio to recognize, which includes some silence around the paragraphs. `end` is its end. */
  readonly start: number;
  readonly end: number;
  /** The language to recognize. (The task itself has the transcript's language.) */
  readonly language: SpokenLanguage;
}

/** A transcript's paragraphs, split into those before, in and after a range. */
export interface DividedTranscript {
  readonly before: readonly Row<'paragraphs'>[];
  readonly replaced: readonly Row<'paragraphs'>[];
  readonly after: readonly Row<'paragraphs'>[];
}

/**
 * Returns the range between two paragraphs of a transcript, inclusive. Its audio never overlaps other paragraphs.
 * @throws CallError notFound if the transcript doesn't contain the paragraphs in this order; audioTooShort
 */
export async function measureRange(
  queries: Queries,
  transcript: Pick<Row<'tasks'>, 'id'>,
  { from, to }: NonNullable<CallInput<'task/create'>['range']>,
  language: SpokenLanguage,
): Promise<TaskRange> {
  const range = { transcript: transcript.id, from: from.toLowerCase(), to: to.toLowerCase() };
  const { before, replaced, after } = await divideTranscript(queries, range);
  const [first, last] = [replaced[0], replaced.at(-1)];
  if (!first || !last) throw new CallError('notFound');
  const { start, end } = audioForRange(before.at(-1), first, last, after[0]);
  if (end - start < limits.transcription.minSeconds) throw new CallError('audioTooShort');
  return { ...range, start, end, language };
}

/** Returns whether a task transcribes the requested range, and hasn't failed. */
export function isForSameRange(
  { range, status }: Pick<Row<'tasks'>, 'range' | 'status'>,
  transcript: string,
  { from, to }: NonNullable<CallInput<'task/create'>['range']>,
  language: SpokenLanguage,
): boolean {
  return (
    range !== null &&
    status !== taskStatus.failed &&
    range.transcript === transcript.toLowerCase() &&
    range.from === from.toLowerCase() &&
    range.to === to.toLowerCase() &&
    range.language === language
  );
}

/** Splits a transcript at a range. `replaced` is empty if the paragraphs don't exist or are in a different order. */
export async function divideTranscript(
  queries: Queries,
  { transcript, from, to }: Pick<TaskRange, 'transcript' | 'from' | 'to'>,
): Promise<DividedTranscript> {
  const rows = await readParagraphs(queries, transcript);
  const first = rows.findIndex(({ id }) => id === from);
  const last = rows.findIndex(({ id }) => id === to);
  if (first < 0 || last < first) return { before: rows, replaced: [], after: [] };
  return {
    before: rows.slice(0, first),
    replaced: rows.slice(first, last + 1),
    after: rows.slice(last + 1),
  };
}

/**
 * Moves the paragraphs outside a range from the existing transcript to the task that transcribed the range. They keep
 * their IDs and edits. The transaction must already hold the account's lock.
 * @param count the number of new paragraphs in the range
 * @returns the engine and language of the transcript, and the paragraphs before and in the range
 */
export async function takeOver(
  trx: Transaction,
  taskId: string,
  range: TaskRange,
  count: number,
  rev: number,
): Promise<
  Pick<Row<'tasks'>, 'engine' | 'language'> & Pick<DividedTranscript, 'before' | 'replaced'>
> {
  const { engine, language } = await trx
    .selectFrom('tasks')
    .select(['engine', 'language'])
    .where('id', '=', range.transcript)
    .executeTakeFirstOrThrow();
  const { before, replaced } = await divideTranscript(trx, range);
  const end = before.length + replaced.length;
  await trx
    .updateTable('paragraphs')
    .set({
      task_id: taskId,
      rev,
      ordinal: sql<number>`case when ordinal < ${before.length} then ordinal
        else ordinal + ${count - replaced.length} end`,
    })
    .where('task_id', '=', range.transcript)
    .where((where) => where.or([where('ordinal', '<', before.length), where('ordinal', '>=', end)]))
    .execute();
  return { engine, language, before, replaced };
}

/**
 * Returns the task that now contains the transcript of a given task. When a range is transcribed, its task takes over
 * the paragraphs once it completes.
 */
export async function continuingTask(queries: Queries, task: Row<'tasks'>): Promise<Row<'tasks'>> {
  const recordingTasks = queries
    .selectFrom('tasks')
    .selectAll()
    .where('recording_id', '=', task.recording_id);
  if (task.range && isActive(task.status)) {
    return recordingTasks.where('id', '=', task.range.transcript).executeTakeFirstOrThrow();
  }
  const next = await recordingTasks
    .where('status', '=', taskStatus.transcribed)
    .where(sql<string>`range ->> 'transcript'`, '=', task.id)
    .executeTakeFirst();
  return next ? continuingTask(queries, next) : task;
}

/** SQL condition that excludes failed transcriptions of ranges, because they leave the transcript unchanged. */
export function excludesFailedRanges(where: ExpressionBuilder<Pick<Tables, 'tasks'>, 'tasks'>) {
  return where.or([
    where('tasks.range', 'is', null),
    where('tasks.status', '!=', taskStatus.failed),
  ]);
}

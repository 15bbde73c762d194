/**
 * Merges the transcripts of recordings that the user has merged, including all edits. The app merges the audio, markers
 * and notes, and uploads the result like any other recording.
 */
import type { CallData, CallInput } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import { v7 as uuidv7 } from 'uuid';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import { roundToMilliseconds } from '../../providers/milliseconds.ts';
import type { UnplacedChangeContent } from '../../transcript/carry-over/types.ts';
import { freeAudio } from '../recording/free-audio.ts';
import { findRecordingByFlag, getRecording } from '../recording/service.ts';
import { readParagraphs } from '../sync/carry-over/rows.ts';
import { addUnplaced, unplacedTicks } from '../sync/carry-over/unplaced.ts';
import type { Operations } from '../sync/operations.ts';
import { copyVoices } from '../voice/voices.ts';
import { recordWebhookEvents } from '../webhook/events.ts';
import { isDraft, latestTranscript } from './latest-transcript.ts';
import { latestTask, toResponse } from './service.ts';

/** Merges the transcripts of recordings. */
export interface Merges {
  /**
   * Adds a completed task with the paragraphs of the parts' transcripts, and requests its summary. Charges no minutes,
   * because the transcripts have been paid for. If the recording already has a task, returns that task, so the call can
   * be retried.
   * @throws CallError notFound if a recording doesn't exist; notTranscribed if one of the parts has no transcript;
   *   badRequest if the parts are longer than the recording
   */
  merge(accountId: string, body: CallInput<'task/merge'>): Promise<CallData<'task/merge'>>;
}

export interface MergeDependencies {
  readonly db: Database;
  readonly queue: Queue;
  readonly operations: Pick<Operations, 'perform'>;
  readonly now: () => Date;
}

/** One of the merged recordings, with its transcript. */
interface Part {
  /** Offset in the merged recording, in seconds. */
  readonly start: number;
  readonly recording: Row<'recordings'>;
  readonly transcript: Row<'tasks'>;
  readonly paragraphs: readonly Row<'paragraphs'>[];
  /** Maps speaker labels in this part to the labels in the merged recording. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Tolerance for the durations of recordings, because clients send whole seconds. */
const roundingSeconds = 2;

/** Rows per INSERT statement. PostgreSQL allows at most 65,535 parameters per statement. */
const rowsPerInsert = 1000;

export function createMerges({ db, queue, operations, now }: MergeDependencies): Merges {
  async function mergeTranscripts(
    trx: Transaction,
    recording: Row<'recordings'>,
    parts: readonly [Part, ...Part[]],
    rev: number,
  ): Promise<Row<'tasks'>> {
    const { id: recordingId, account_id: accountId } = recording;
    const [{ transcript: first }] = parts;
    // A merged transcript is a draft if any of its parts is a draft.
    const drafted = parts.find(({ transcript }) => isDraft(transcript));
    const summaryRequest = parts.find(({ transcript }) => transcript.summary_request !== null);
    const task = await trx
      .insertInto('tasks')
      .values({
        id: uuidv7(),
        recording_id: recordingId,
        account_id: accountId,
        status: taskStatus.transcribed,
        progress: 100,
        is_free: false,
        minutes: 0,
        language: first.language,
        engine: (drafted?.transcript ?? first).engine,
        summary_request: toJson(summaryRequest?.transcript.summary_request ?? null),
        summary_status: taskStatus.queued,
        keywords: '[]',
        transcript_rev: rev,
        rev,
        created_at: now(),
        updated_at: now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const rows = parts
      .flatMap((part) => part.paragraphs.map((row) => moveParagraph(row, part, first.language)))
      .map((row, ordinal) => ({ ...row, ordinal, task_id: task.id, rev }));
    for (let start = 0; start < rows.length; start += rowsPerInsert) {
      const batch = rows.slice(start, start + rowsPerInsert);
      await trx.insertInto('paragraphs').values(batch).execute();
    }
    await trx
      .updateTable('recordings')
      .set({ rev, updated_at: now() })
      .where('id', '=', recordingId)
      .execute();
    return task;
  }

  return {
    merge: (accountId, { id, parts: requested }) =>
      db.transaction().execute(async (trx) => {
        const rev = await nextRevision(trx, accountId);
        const recording = await getRecording(trx, accountId, id);
        const existing = await latestTask(trx, recording.id);
        if (existing) return toResponse(existing);
        const parts = await readParts(trx, accountId, requested);
        requireFit(recording, parts);
        const task = await mergeTranscripts(trx, recording, parts, rev);
        for (const { recording: part, labels } of parts) {
          await copyVoices(trx, part.id, recording.id, labels);
        }
        await operations.perform(trx, accountId, createNameEdits(parts, recording.client_flag));
        await addUnplaced(trx, recording, parts.flatMap(findUnplaced));
        await freeAudio(trx, queue, accountId, { rev, now: now(), recordingId: recording.id });
        await queue.enqueue(trx, 'summarize', { taskId: task.id });
        await recordWebhookEvents(trx, { queue, now }, accountId, [
          {
            type: 'recording.transcribed',
            recordingId: recording.id,
            clientFlag: recording.client_flag,
          },
        ]);
        return toResponse(task);
      }),
  };
}

/**
 * Reads the parts with their transcripts. Speakers with the same name get the same label. All other speakers are
 * assumed to be different people.
 * @throws CallError notFound, notTranscribed
 */
async function readParts(
  trx: Transaction,
  accountId: string,
  requested: CallInput<'task/merge'>['parts'],
): Promise<[Part, ...Part[]]> {
  const labelsByName = new Map<string, string>();
  let speakerCount = 0;
  const parts: Part[] = [];
  for (const { client_flag: flag, start } of requested) {
    const recording = await findRecordingByFlag(trx, accountId, flag);
    if (!recording) throw new CallError('notFound');
    const latest = await latestTranscript(trx, recording.id);
    if (!latest) throw new CallError('notTranscribed');
    const transcript = await trx
      .selectFrom('tasks')
      .selectAll()
      .where('id', '=', latest.id)
      .executeTakeFirstOrThrow();
    const paragraphs = await readParagraphs(trx, transcript.id);
    const labels = new Map<string, string>();
    for (const { speaker } of paragraphs) {
      if (speaker === null || labels.has(speaker)) continue;
      const name = findName(recording, speaker);
      const label = (name && labelsByName.get(name)) ?? String(++speakerCount);
      labels.set(speaker, label);
      if (name !== undefined) labelsByName.set(name, label);
    }
    parts.push({ start, recording, transcript, paragraphs, labels });
  }
  const [first, ...others] = parts;
  if (!first) throw new CallError('badRequest');
  return [first, ...others];
}

/**
 * Checks that the parts fit, one after another, into the merged recording's audio.
 * @throws CallError badRequest
 */
function requireFit(merged: Row<'recordings'>, parts: readonly Part[]): void {
  const ends = parts.map(({ start, recording }) => start + recording.total_time);
  const fits = parts.every(({ recording }, n) => {
    const next = parts[n + 1]?.start ?? merged.total_time;
    return recording.id !== merged.id && (ends[n] ?? 0) <= next + roundingSeconds;
  });
  if (!fits) throw new CallError('badRequest', 'parts: together longer than the recording');
}

const findName = ({ speakers }: Row<'recordings'>, label: string): string | undefined =>
  Object.hasOwn(speakers, label) ? speakers[label] : undefined;

/** Returns a paragraph's row for the merged transcript, with its current text and edits. */
function moveParagraph(
  row: Row<'paragraphs'>,
  { start, transcript, labels }: Part,
  mergedLanguage: Row<'tasks'>['language'],
) {
  const move = (seconds: number) => roundToMilliseconds(start + seconds);
  const language = row.language ?? transcript.language;
  return {
    id: uuidv7(),
    account_id: row.account_id,
    start_time: move(row.start_time),
    end_time: move(row.end_time),
    content: row.content,
    original: row.original,
    is_tag: row.is_tag,
    words: JSON.stringify(
      row.words.map((word) => ({ ...word, start: move(word.start), end: move(word.end) })),
    ),
    speaker: row.speaker === null ? null : (labels.get(row.speaker) ?? null),
    // Keep the language only if it differs from the merged transcript's. A completed transcript has a language.
    language: language === mergedLanguage || language === 'auto' ? null : language,
  };
}

/** Returns the edits that name the merged recording's speakers. */
function createNameEdits(parts: readonly Part[], recording: string) {
  const names = new Map(
    parts.flatMap((part) =>
      [...part.labels].flatMap(([label, merged]) => {
        const name = findName(part.recording, label);
        return name === undefined ? [] : [[merged, name] as const];
      }),
    ),
  );
  return [...names].map(([speaker, name]) => {
    return { type: 'recording.speaker', recording, speaker, name } as const;
  });
}

/**
 * Returns a part's changes that can't be placed in the merged recording: changes that were already unplaced, and
 * completed to-dos, because the merged recording gets a new summary.
 */
function findUnplaced({ start, recording, transcript }: Part): UnplacedChangeContent[] {
  const completed = unplacedTicks(recording.ticks, transcript.summary_json, null);
  return [...recording.unplaced, ...completed].map(({ kind, text, time }) => {
    return { kind, text, time: roundToMilliseconds(start + time) };
  });
}

const toJson = (value: object | null) => value && JSON.stringify(value);

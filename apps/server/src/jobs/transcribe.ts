import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { limits } from '@linnet/contract/limits';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { v5 as uuidv5 } from 'uuid';
import { DecodeFailure, decodeToWave } from '../audio/decode.ts';
import { ensurePrivateDir } from '../data-dir.ts';
import type { Database, Row } from '../db/database.ts';
import { CallError } from '../http/failure.ts';
import type { Outcomes, TaskFailure } from '../modules/task/outcome.ts';
import { underWay } from '../modules/task/under-way.ts';
import type { TranscriptAnalyser } from '../providers/analysis/port.ts';
import type { SpeechEngines } from '../providers/speech/index.ts';
import { SpeechFailure } from '../providers/speech/port.ts';
import type { ObjectStore } from '../providers/storage/port.ts';
import { StorageFailure } from '../providers/storage/port.ts';
import { toParagraphs } from '../transcript/paragraphs.ts';
import type { JobHandler } from './jobs.ts';

export interface TranscribeParts {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly engines: SpeechEngines;
  readonly analyser: TranscriptAnalyser;
  readonly outcomes: Outcomes;
  readonly dataDir: string;
  readonly log: Logger;
  readonly now: () => Date;
}

/** How often the engine may fail on one task before the task does. */
const engineTries = 3;
/** Progress is written at most so often. */
const progressMs = 500;
/** What decoding, hearing and understanding take of the hundred. */
const share = { decoded: 5, heard: 95 } as const;

/**
 * The job "transcribe": stored object → PCM → words → paragraphs → analysis → result. It may be killed
 * at any point and run again: everything before the last transaction can be repeated, that transaction
 * happens once, and the same audio gives the same transcript with the same paragraph ids.
 */
export function transcribeJob(parts: TranscribeParts): JobHandler<'transcribe'> {
  const { db, outcomes, log } = parts;
  return async ({ taskId }, signal) => {
    const task = await begin(db, taskId, parts.now());
    if (!task) return;
    // Named by the task, so that a run after a kill takes over what the killed one left.
    const scratch = path.join(await ensurePrivateDir(parts.dataDir, 'scratch'), taskId);
    await rm(scratch, { recursive: true, force: true });
    try {
      await run(parts, task, scratch, signal);
    } catch (error) {
      const failure = await judge(db, task, error);
      if (failure === null) throw error;
      log.warn({ taskId, failure, reason: describe(error) }, 'a task failed');
      await outcomes.fail(taskId, failure);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  };
}

/** The job that ends a task whose own job was given up on: killed over and over. */
export function givenUpJob(outcomes: Outcomes): JobHandler<'transcribe.given-up'> {
  return ({ taskId }) => outcomes.fail(taskId, 'engineFailed');
}

/** Marks the task as worked on; null when it ended already or is gone. */
async function begin(db: Database, taskId: string, now: Date): Promise<Row<'tasks'> | null> {
  const task = await db
    .updateTable('tasks')
    .set({ status: taskStatus.working, updated_at: now })
    .where('id', '=', taskId)
    .where('status', 'in', underWay)
    .returningAll()
    .executeTakeFirst();
  return task ?? null;
}

async function run(
  parts: TranscribeParts,
  task: Row<'tasks'>,
  scratch: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, store, engines, analyser, outcomes } = parts;
  const progress = progressWriter(db, task.id);
  const recording = await db
    .selectFrom('recordings')
    .select(['object_key', 'recorded_at'])
    .where('id', '=', task.recording_id)
    .executeTakeFirst();
  if (!recording?.object_key) throw new TaskError('objectMissing');
  await ensurePrivateDir(parts.dataDir, path.join('scratch', task.id));

  const [object, wave] = [path.join(scratch, 'object'), path.join(scratch, 'audio.wav')];
  await pipeline(await store.read(recording.object_key), createWriteStream(object), { signal });
  const seconds = await decodeToWave({ input: object, output: wave }, signal);
  if (seconds < limits.transcription.minSeconds) throw new TaskError('audioTooShort');
  await progress(share.decoded);

  const recognizer = await engines.find(task.language);
  if (!recognizer) throw new TaskError('languageUnavailable');
  const heard = await recognizer.transcribe({
    audio: { kind: 'wav', path: wave },
    language: task.language,
    signal,
    onProgress: (fraction) => {
      // Progress is a courtesy: a write that fails is met again by the next query that matters.
      progress(share.decoded + fraction * (share.heard - share.decoded)).catch((error) =>
        parts.log.warn({ err: error, taskId: task.id }, 'progress was not written'),
      );
    },
  });
  const language = heard.language;
  const paragraphs = toParagraphs(heard.words, { language, punctuated: heard.punctuated });
  if (paragraphs.length === 0) throw new TaskError('noSpeech');
  await progress(share.heard);

  const ids = paragraphs.map((_, ordinal) => uuidv5(`paragraph ${ordinal}`, task.id));
  const analysis = await analyser.analyse({
    language,
    structures: [],
    recordedAt: recording.recorded_at,
    signal,
    paragraphs: paragraphs.map(({ start, end, content, words }, ordinal) => ({
      id: ids[ordinal] as string,
      start,
      end,
      text: content,
      words,
    })),
  });
  await outcomes.succeed(task.id, ids, { ...analysis, seconds, paragraphs, engine: heard.engine });
}

/** An end that the run itself decides on. */
class TaskError extends Error {
  override readonly name = 'TaskError';
  readonly failure: TaskFailure;
  constructor(failure: TaskFailure) {
    super(failure);
    this.failure = failure;
  }
}

/** Which failure an error is; null when the job should run again. */
async function judge(
  db: Database,
  task: Row<'tasks'>,
  error: unknown,
): Promise<TaskFailure | null> {
  if (error instanceof TaskError) return error.failure;
  if (error instanceof DecodeFailure) {
    return error.code === 'empty' ? 'audioEmpty' : 'audioUnreadable';
  }
  if (error instanceof StorageFailure && error.code === 'not-found') return 'objectMissing';
  if (error instanceof CallError && error.reason === 'notEnoughMinutes') return 'notEnoughMinutes';
  if (!(error instanceof SpeechFailure)) return null;
  if (error.code === 'language-unsupported') return 'languageUnavailable';
  if (error.code === 'aborted' || error.code === 'scratch-failed') return null;
  if (error.code === 'audio-unreadable') return 'audioUnreadable';
  if (!error.retryable) return 'engineFailed';
  const { attempts } = await db
    .updateTable('tasks')
    .set({ attempts: sql<number>`attempts + 1` })
    .where('id', '=', task.id)
    .returning('attempts')
    .executeTakeFirstOrThrow();
  return attempts >= engineTries ? 'engineFailed' : null;
}

/** Writes progress into the task, rising and not too often. */
function progressWriter(db: Database, taskId: string): (percent: number) => Promise<void> {
  let last = { percent: 0, at: 0 };
  return async (value) => {
    const percent = Math.min(99, Math.floor(value));
    if (percent <= last.percent || Date.now() - last.at < progressMs) return;
    last = { percent, at: Date.now() };
    await db
      .updateTable('tasks')
      .set({ progress: percent })
      .where('id', '=', taskId)
      .where('status', '=', taskStatus.working)
      .execute();
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

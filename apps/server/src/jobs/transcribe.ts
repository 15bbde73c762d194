import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Database, Row } from '../db/database.ts';
import { inspectKey } from '../modules/recording/stored-audio.ts';
import { activeStatuses } from '../modules/task/active-tasks.ts';
import type { Checkpoints } from '../pipeline/checkpoints.ts';
import { runPipeline } from '../pipeline/run.ts';
import { openScratch, removeScratch } from '../pipeline/scratch.ts';
import type { PipelineDependencies } from '../pipeline/step.ts';
import { TaskEnd } from '../pipeline/step.ts';
import { SpeechFailure } from '../providers/speech/port.ts';
import { type JobHandler, JobPostponed } from './jobs.ts';

export interface TranscribeDependencies extends PipelineDependencies {
  readonly checkpoints: Checkpoints;
  readonly dataDir: string;
}

/**
 * Creates the "transcribe" job. It can be killed at any point and rerun: it resumes after the last completed step, the
 * final step ends the task exactly once, and the same audio always yields the same transcript with the same paragraph
 * IDs.
 */
export function transcribeJob(deps: TranscribeDependencies): JobHandler<'transcribe'> {
  return async ({ taskId }, signal) => {
    const task = await beginTask(deps.db, taskId, deps.now());
    if (task) await transcribe(deps, task, signal);
    // Clean up even without a task: a worker may have been killed after ending the task, before cleaning up.
    await removeScratch(deps.dataDir, taskId);
  };
}

/**
 * Creates the job that abandons a task after the last retry of "transcribe" has failed. If the transcript is already
 * complete, the summary failed, so the transcript is stored without a summary.
 */
export function abandonTaskJob(deps: TranscribeDependencies): JobHandler<'transcribe.given-up'> {
  return async ({ taskId }, signal) => {
    const { checkpoints, outcomes } = deps;
    const { paragraphs, analyse } = await checkpoints.load(taskId);
    if (paragraphs) {
      if (!analyse) await checkpoints.save(taskId, 'analyse', { analysis: null });
      const task = await beginTask(deps.db, taskId, deps.now());
      if (task) await transcribe(deps, task, signal);
    } else {
      await outcomes.fail(taskId, 'engineFailed');
    }
    await removeScratch(deps.dataDir, taskId);
  };
}

/** Marks the task as in progress. Returns null if it was deleted or has already ended. */
async function beginTask(db: Database, taskId: string, now: Date): Promise<Row<'tasks'> | null> {
  const task = await db
    .updateTable('tasks')
    .set({ status: taskStatus.working, updated_at: now })
    .where('id', '=', taskId)
    .where('status', 'in', activeStatuses)
    .returningAll()
    .executeTakeFirst();
  return task ?? null;
}

/** Records that the task is waiting for the speech service, unless it was already waiting before this attempt. */
async function markWaiting(db: Database, taskId: string, now: Date): Promise<void> {
  await db
    .updateTable('tasks')
    .set({
      // The last progress report may be from an earlier step, because reports are throttled.
      step: 'recognise',
      step_done: sql<number>`case when step = 'recognise' then step_done else 0 end`,
      waiting_since: sql<Date>`coalesce(waiting_since, ${now})`,
    })
    .where('id', '=', taskId)
    .where('status', '=', taskStatus.working)
    .execute();
}

/** Runs the steps and ends the task. Transient failures are rethrown, and the job is retried. */
async function transcribe(
  { checkpoints, dataDir, ...deps }: TranscribeDependencies,
  task: Row<'tasks'>,
  signal: AbortSignal,
): Promise<void> {
  const recording = await deps.db
    .selectFrom('recordings')
    .select(['id', 'client_flag', 'object_key', 'total_time', 'name', 'speakers', 'ticks'])
    .select(['account_id', 'recorded_at', 'utc_offset'])
    .where('id', '=', task.recording_id)
    .executeTakeFirst();
  // The recording was deleted along with the task.
  if (!recording) return;
  const scratch = await openScratch(dataDir, task.id);
  const countFailure = () => checkpoints.countFailure(task.id);
  try {
    await runPipeline({ ...deps, task, recording, scratch, countFailure }, checkpoints, signal);
  } catch (error) {
    if (error instanceof SpeechFailure && error.code === 'service-unavailable') {
      await markWaiting(deps.db, task.id, deps.now());
      throw new JobPostponed(error.message, { cause: error });
    }
    if (!(error instanceof TaskEnd)) throw error;
    const { failure, cause } = error;
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : failure;
    deps.log.warn({ taskId: task.id, failure, reason }, 'task failed');
    // Mark the audio as lost, which makes phones upload it again.
    if (failure === 'objectMissing' && recording.object_key !== null) {
      await inspectKey(deps, recording.object_key);
    }
    await deps.outcomes.fail(task.id, failure);
  }
}

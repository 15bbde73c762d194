import { taskStatus } from '@linnet/contract/statuses';
import type { Database, Row } from '../db/database.ts';
import { inspectKey } from '../modules/recording/stored-audio.ts';
import { underWay } from '../modules/task/under-way.ts';
import type { Checkpoints } from '../pipeline/checkpoints.ts';
import { runPipeline } from '../pipeline/run.ts';
import { openScratch, removeScratch } from '../pipeline/scratch.ts';
import type { PipelineParts } from '../pipeline/step.ts';
import { TaskEnd } from '../pipeline/step.ts';
import type { JobHandler } from './jobs.ts';

export interface TranscribeParts extends PipelineParts {
  readonly checkpoints: Checkpoints;
  readonly dataDir: string;
}

/**
 * The job "transcribe". It may be killed at any point and run again: it goes on after the last finished
 * step, the last step ends the task once, and the same audio gives the same transcript with the same
 * paragraph ids.
 */
export function transcribeJob(parts: TranscribeParts): JobHandler<'transcribe'> {
  return async ({ taskId }, signal) => {
    const task = await begin(parts.db, taskId, parts.now());
    if (task) await transcribe(parts, task, signal);
    // Here as well, when another worker ended the task and was killed before it got this far.
    await removeScratch(parts.dataDir, taskId);
  };
}

/**
 * The job that ends a task whose own job was given up on: killed over and over. What was heard by then is
 * stored without a summary, for it was the summary that failed.
 */
export function givenUpJob(parts: TranscribeParts): JobHandler<'transcribe.given-up'> {
  return async ({ taskId }, signal) => {
    const { checkpoints, outcomes } = parts;
    const { paragraphs, analyse } = await checkpoints.load(taskId);
    if (paragraphs) {
      if (!analyse) await checkpoints.save(taskId, 'analyse', { analysis: null });
      const task = await begin(parts.db, taskId, parts.now());
      if (task) await transcribe(parts, task, signal);
    } else {
      await outcomes.fail(taskId, 'engineFailed');
    }
    await removeScratch(parts.dataDir, taskId);
  };
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

/** Runs the steps and ends the task; leaves it to another try when that may go better. */
async function transcribe(
  { checkpoints, dataDir, ...parts }: TranscribeParts,
  task: Row<'tasks'>,
  signal: AbortSignal,
): Promise<void> {
  const recording = await parts.db
    .selectFrom('recordings')
    .select(['object_key', 'recorded_at', 'name', 'speakers', 'ticks', 'account_id'])
    .where('id', '=', task.recording_id)
    .executeTakeFirst();
  // Deleted since, and the task with it.
  if (!recording) return;
  const scratch = await openScratch(dataDir, task.id);
  const countFailure = () => checkpoints.countFailure(task.id);
  try {
    await runPipeline({ ...parts, task, recording, scratch, countFailure }, checkpoints, signal);
  } catch (error) {
    if (!(error instanceof TaskEnd)) throw error;
    const { failure, cause } = error;
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : failure;
    parts.log.warn({ taskId: task.id, failure, reason }, 'a task failed');
    // Its phones send it again once they hear that it is lost.
    if (failure === 'objectMissing' && recording.object_key !== null) {
      await inspectKey(parts, recording.object_key);
    }
    await parts.outcomes.fail(task.id, failure);
  }
}

import { taskStatus } from '@linnet/contract/statuses';
import type { TaskStep } from '@linnet/contract/structures';
import { sql } from 'kysely';
import type { Database, Queries } from '../db/database.ts';
import { toStorable } from '../db/storable.ts';
import { activeStatuses, withLockedTask } from '../modules/task/active-tasks.ts';
import { type ConsentedVoices, isConsentValid } from '../modules/voice/voices.ts';
import type { StepOutputs } from './step.ts';

/** A task's progress. */
export interface TaskProgress {
  readonly step: TaskStep;
  /** Progress of the current step, 0 to 1. */
  readonly done: number;
  /** Overall progress, 0 to 100. */
  readonly progress: number;
}

/** Stores the progress of tasks and the outputs of their completed steps. */
export interface Checkpoints {
  load(taskId: string): Promise<Partial<StepOutputs>>;
  /**
   * Saves a step's output, unless another worker has already saved one. Voices are saved only if the account's consent
   * is still valid.
   * @returns the stored output, or null if the task is no longer in progress
   */
  save(taskId: string, step: TaskStep, output: object): Promise<object | null>;
  /** Writes the progress. Returns false if the task is no longer in progress. */
  report(taskId: string, progress: TaskProgress): Promise<boolean>;
  /**
   * Counts a failure of the current step.
   * @returns the step's total number of failures
   */
  countFailure(taskId: string): Promise<number>;
}

/** Resolution of a step's progress, fine enough to show one second of a recording of many hours. */
const donePlaces = 100_000;

export function createCheckpoints(db: Database): Checkpoints {
  return {
    async load(taskId) {
      const rows = await db
        .selectFrom('task_steps')
        .select(['step', 'output'])
        .where('task_id', '=', taskId)
        .execute();
      return Object.fromEntries(rows.map(({ step, output }) => [step, output]));
    },

    async save(taskId, step, output) {
      if (!hasVoices(output)) return insertOutput(db, taskId, step, output);
      const { voices, ...others } = output;
      return withLockedTask(db, taskId, async (trx, { account_id: accountId }) => {
        const isValid = await isConsentValid(trx, accountId, voices);
        return insertOutput(trx, taskId, step, isValid ? output : others);
      });
    },

    async report(taskId, { step, done, progress }) {
      const doneRounded = Math.floor(done * donePlaces) / donePlaces;
      const { numUpdatedRows: updatedRows } = await db
        .updateTable('tasks')
        .set({
          step,
          step_done: doneRounded,
          // A retry starts at 0, which doesn't count as progress yet.
          ...(doneRounded > 0 && { waiting_since: null }),
          progress: Math.min(99, Math.floor(progress)),
        })
        .where('id', '=', taskId)
        .where('status', '=', taskStatus.working)
        .executeTakeFirstOrThrow();
      return updatedRows > 0n;
    },

    async countFailure(taskId) {
      const task = await db
        .updateTable('tasks')
        .set({ attempts: sql<number>`attempts + 1` })
        .where('id', '=', taskId)
        .returning('attempts')
        .executeTakeFirst();
      return task?.attempts ?? 0;
    },
  };
}

/** Returns whether a step's output contains voices. */
function hasVoices(output: object): output is { readonly voices: ConsentedVoices } {
  return 'voices' in output && output.voices !== undefined;
}

/** Inserts a step's output. Returns the stored output, or null if the task is no longer in progress. */
async function insertOutput(
  queries: Queries,
  taskId: string,
  step: TaskStep,
  output: object,
): Promise<object | null> {
  // The update locks the task. If the task is ended concurrently, either nothing is inserted here, or the new row is
  // deleted afterwards.
  const stored = await queries
    .with('task', (tasks) =>
      tasks
        .updateTable('tasks')
        .set({ attempts: 0 })
        .where('id', '=', taskId)
        .where('status', 'in', activeStatuses)
        .returning('id'),
    )
    .insertInto('task_steps')
    .columns(['task_id', 'step', 'output'])
    .expression((selected) =>
      selected
        .selectFrom('task')
        .select([
          'task.id',
          sql<TaskStep>`${step}::text`.as('step'),
          sql<object>`${JSON.stringify(toStorable(output))}::jsonb`.as('output'),
        ]),
    )
    // Keep the first output, because later steps may already have used it.
    .onConflict((conflict) =>
      conflict.columns(['task_id', 'step']).doUpdateSet((excluded) => ({
        finished_at: excluded.ref('excluded.finished_at'),
      })),
    )
    .returning('output')
    .executeTakeFirst();
  return stored?.output ?? null;
}

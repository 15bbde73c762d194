import { taskStatus } from '@linnet/contract/statuses';
import type { TaskStep } from '@linnet/contract/structures';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { storable } from '../db/storable.ts';
import { underWay } from '../modules/task/under-way.ts';
import type { StepOutputs } from './step.ts';

/** Where a task stands. */
export interface TaskProgress {
  readonly step: TaskStep;
  /** Of the step, 0 to 1. */
  readonly done: number;
  /** Of all steps, 0 to 100. */
  readonly progress: number;
}

/** What is known of tasks under way besides the tasks: what their finished steps gave, and how far they are. */
export interface Checkpoints {
  load(taskId: string): Promise<Partial<StepOutputs>>;
  /**
   * Keeps what a step gave, as it can be stored; or what it gave another worker, which was first.
   * @returns what is kept; null when the task is not under way any more
   */
  save(taskId: string, step: TaskStep, output: object): Promise<object | null>;
  /** False when the task is not worked on any more. */
  report(taskId: string, progress: TaskProgress): Promise<boolean>;
  /** Counts a failure of the step that is being done. @returns how many it had */
  countFailure(taskId: string): Promise<number>;
}

/** Fine enough for a second of a recording of many hours to show. */
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
      // The update locks the task: whoever ends it deletes these rows after this one, or comes first.
      const kept = await db
        .with('task', (queries) =>
          queries
            .updateTable('tasks')
            .set({ attempts: 0 })
            .where('id', '=', taskId)
            .where('status', 'in', underWay)
            .returning('id'),
        )
        .insertInto('task_steps')
        .columns(['task_id', 'step', 'output'])
        .expression((queries) =>
          queries
            .selectFrom('task')
            .select([
              'task.id',
              sql<TaskStep>`${step}::text`.as('step'),
              sql<object>`${JSON.stringify(storable(output))}::jsonb`.as('output'),
            ]),
        )
        // The first output stays: steps after it may have been done with it already.
        .onConflict((conflict) =>
          conflict.columns(['task_id', 'step']).doUpdateSet((excluded) => ({
            finished_at: excluded.ref('excluded.finished_at'),
          })),
        )
        .returning('output')
        .executeTakeFirst();
      return kept?.output ?? null;
    },

    async report(taskId, { step, done, progress }) {
      const { numUpdatedRows: written } = await db
        .updateTable('tasks')
        .set({
          step,
          step_done: Math.floor(done * donePlaces) / donePlaces,
          progress: Math.min(99, Math.floor(progress)),
        })
        .where('id', '=', taskId)
        .where('status', '=', taskStatus.working)
        .executeTakeFirstOrThrow();
      return written > 0n;
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

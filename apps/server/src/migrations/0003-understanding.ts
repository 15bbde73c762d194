import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Steps of a transcription.
 *
 * `task_steps` holds what each finished step of a task under way gave, so that a worker that takes the
 * task over goes on from there; its rows go when the task ends. `audio_key` is an object that is heard in
 * place of the recording's, until the task ends.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`alter table tasks
      add column step text,
      add column step_done real not null default 0,
      add column summary_request jsonb,
      add column audio_key text unique`,
    sql`create table task_steps (
      task_id uuid not null references tasks on delete cascade,
      step text not null,
      output jsonb not null,
      finished_at timestamptz not null default now(),
      primary key (task_id, step)
    )`,
  ];
  for (const statement of statements) await statement.execute(db);
}

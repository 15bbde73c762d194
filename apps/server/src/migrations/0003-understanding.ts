import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Creates the table of transcription steps. `task_steps` stores the output of each completed step of an active task, so
 * that another worker can resume the task. The rows are deleted when the task ends. `audio_key` is the object to
 * transcribe instead of the recording's own audio.
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

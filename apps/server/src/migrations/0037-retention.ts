import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds retention rules, what they moved to the recycle bin, and recordings that they leave alone. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table recordings
    add column is_protected smallint not null default 0,
    add column restored_at timestamptz,
    add column binned_by jsonb`.execute(db);
  await setRestoreTimes(db);
  await sql`create table retention_rules (
    id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    tag text,
    after int not null,
    unit text not null,
    created_at timestamptz not null,
    acts_at timestamptz not null,
    paused text
  )`.execute(db);
  await sql`create index on retention_rules (account_id)`.execute(db);
  await sql`create table retention_runs (
    id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    tag text,
    after int not null,
    unit text not null,
    started_at timestamptz not null,
    move_count int not null default 0
  )`.execute(db);
  await sql`create index on retention_runs (account_id, id)`.execute(db);
  await sql`create table retention_moves (
    run_id uuid not null references retention_runs on delete cascade,
    recording_id uuid not null references recordings on delete cascade,
    binned_at timestamptz not null,
    primary key (run_id, recording_id)
  )`.execute(db);
  await sql`create index on retention_moves (recording_id)`.execute(db);
  await sql`create table retention_clock (
    id boolean primary key default true check (id),
    ran_at timestamptz not null
  )`.execute(db);
}

/**
 * Sets when recordings were restored that were restored before this migration, because their age counts from then on.
 * Registers contain the client flag with escaped characters, so that the values of the operations are compared instead.
 */
export async function setRestoreTimes(db: Kysely<never>): Promise<void> {
  await sql`update recordings set restored_at = restored.at
    from (
      select account_id, value ->> 'recording' as client_flag, max(created_at) as at from operations
      where type = 'recording.recover' and outcome = 'applied' and value is not null
      group by account_id, value ->> 'recording'
    ) as restored
    where recordings.account_id = restored.account_id and recordings.client_flag = restored.client_flag`.execute(
    db,
  );
}

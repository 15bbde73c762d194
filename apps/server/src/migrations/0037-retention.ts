import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { setRestoreTimes } from './restore-times.ts';

/** Adds retention rules, records of what they moved to the recycle bin, and protected recordings. */
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

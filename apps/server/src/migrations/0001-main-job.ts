import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Creates the tables of accounts, recorders, recordings, tasks and minutes.
 *
 * `accounts.rev` is the account's revision counter. Every transaction that writes synced rows increments it, which
 * locks the account, and stores the number in those rows. A query for all rows after a revision can therefore never
 * miss a row that commits later with a lower number.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`create table accounts (
      id uuid primary key,
      email text not null unique,
      nickname text not null default '',
      avatar text,
      password_hash text not null,
      agreement_version text not null,
      agreement_accepted_at timestamptz not null,
      vip_plan text check (vip_plan in ('trial', 'monthly', 'annual', 'granted')),
      vip_started_at timestamptz,
      vip_expires_at timestamptz,
      rev bigint not null default 0,
      created_at timestamptz not null default now()
    )`,
    sql`create table verification_codes (
      email text primary key,
      code_hash bytea not null,
      tries int not null default 0,
      used_at timestamptz,
      sent_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`,
    sql`create table sessions (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      created_at timestamptz not null default now(),
      revoked_at timestamptz
    )`,
    sql`create index sessions_account on sessions (account_id)`,
    sql`create table refresh_tokens (
      hash bytea primary key,
      session_id uuid not null references sessions on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    )`,
    sql`create index refresh_tokens_session on refresh_tokens (session_id)`,
    sql`create table rate_windows (
      key text primary key,
      started_at timestamptz not null default now(),
      count int not null
    )`,
    sql`create table devices (
      sn text primary key,
      name text not null default '',
      project_code text not null default '',
      registered_at timestamptz not null default now()
    )`,
    sql`create table bindings (
      sn text primary key references devices on delete cascade,
      account_id uuid not null references accounts on delete cascade,
      bound_at timestamptz not null default now()
    )`,
    sql`create index bindings_account on bindings (account_id)`,
    sql`create table upload_leaves (
      key text primary key,
      account_id uuid not null references accounts on delete cascade,
      type text not null,
      ext text not null,
      max_size bigint not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`,
    sql`create table recordings (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      client_flag text not null,
      name text not null default '',
      ai_title text not null default '',
      source int not null default 0,
      object_key text unique,
      file_size bigint not null default 0,
      sha256 text,
      mime_type text not null default '',
      ext text not null default '',
      total_time double precision not null default 0,
      sn text not null default '',
      brief text not null default '',
      keywords jsonb not null default '[]',
      is_del smallint not null default 0,
      rev bigint not null,
      recorded_at timestamptz not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (account_id, client_flag)
    )`,
    sql`create index recordings_list on recordings (account_id, recorded_at desc, id)`,
    sql`create index recordings_rev on recordings (account_id, rev)`,
    sql`create table tasks (
      id uuid primary key,
      recording_id uuid not null references recordings on delete cascade,
      account_id uuid not null references accounts on delete cascade,
      language text not null,
      status smallint not null default 0 check (status between 0 and 3),
      progress smallint not null default 0,
      attempts smallint not null default 0,
      error_code int,
      engine text,
      title text not null default '',
      brief text not null default '',
      summary text not null default '',
      summary_json jsonb,
      keywords jsonb not null default '[]',
      xmind_json jsonb,
      minutes int not null default 0,
      rev bigint not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check ((status = 3) = (error_code is not null))
    )`,
    sql`create index tasks_latest on tasks (recording_id, created_at desc, id desc)`,
    // A recording has at most one active task, so that a repeated create call finds the existing task.
    sql`create unique index tasks_running on tasks (recording_id) where status in (0, 1)`,
    sql`create table paragraphs (
      id uuid primary key,
      task_id uuid not null references tasks on delete cascade,
      ordinal int not null,
      start_time double precision not null,
      end_time double precision not null,
      content text not null,
      words jsonb not null default '[]',
      speaker text,
      is_tag smallint not null default 0,
      rev bigint not null,
      unique (task_id, ordinal)
    )`,
    sql`create table tombstones (
      account_id uuid not null references accounts on delete cascade,
      kind text not null,
      id text not null,
      client_flag text,
      rev bigint not null,
      deleted_at timestamptz not null default now(),
      primary key (account_id, kind, id)
    )`,
    sql`create index tombstones_rev on tombstones (account_id, rev)`,
    // The minutes granted to accounts and charged for tasks. `ref` makes grants idempotent.
    sql`create table minute_grants (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      purse text not null check (purse in ('vip', 'free', 'package')),
      minutes int not null check (minutes > 0),
      ref text not null,
      expires_at timestamptz,
      created_at timestamptz not null default now(),
      unique (account_id, ref)
    )`,
    sql`create table minute_charges (
      id uuid primary key,
      grant_id uuid not null references minute_grants on delete cascade,
      account_id uuid not null references accounts on delete cascade,
      task_id uuid not null references tasks on delete cascade,
      minutes int not null check (minutes >= 0),
      state text not null check (state in ('reserved', 'settled', 'released')),
      created_at timestamptz not null default now(),
      closed_at timestamptz,
      unique (task_id, grant_id)
    )`,
    sql`create index minute_charges_grant on minute_charges (grant_id)`,
  ];
  for (const statement of statements) await statement.execute(db);
}

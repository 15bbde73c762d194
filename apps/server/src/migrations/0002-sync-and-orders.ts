import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Creates the tables of operations, settings, orders and feedback.
 *
 * `operations` logs every change made by phones or calls. Its key makes them idempotent, the last operation of a
 * register is used to detect conflicts, and together they form a paragraph's history.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`alter table recordings
      add column tags jsonb not null default '[]',
      add column place jsonb,
      add column speakers jsonb not null default '{}',
      add column markers jsonb not null default '[]',
      add column ticks jsonb not null default '{}',
      add column mind_map jsonb,
      add column binned_at timestamptz,
      add column stored_rev bigint`,
    sql`create unique index tombstones_flag on tombstones (account_id, client_flag)`,
    // A resumable upload is written by one request at a time, across all processes.
    sql`alter table upload_leaves
      add column lock_holder uuid,
      add column locked_until timestamptz,
      add column lock_wanted boolean not null default false`,
    // Repeats the task's account, so that an account's changes can be found without a join.
    sql`alter table paragraphs add column original text, add column account_id uuid`,
    sql`update paragraphs set account_id = tasks.account_id
      from tasks where tasks.id = paragraphs.task_id`,
    sql`alter table paragraphs alter column account_id set not null`,
    sql`create index paragraphs_rev on paragraphs (account_id, rev)`,
    sql`create index tasks_rev on tasks (account_id, rev)`,
    sql`alter table tasks
      add column summary_status smallint check (summary_status between 0 and 3),
      add column summary_error_code int,
      add check (coalesce(summary_status = 3, false) = (summary_error_code is not null))`,
    sql`create table operations (
      account_id uuid not null references accounts on delete cascade,
      op_id uuid not null,
      register text collate "C" not null,
      type text not null,
      rev bigint not null,
      base_rev bigint not null,
      at timestamptz not null,
      own_at timestamptz not null,
      outcome text not null check (outcome in ('applied', 'superseded', 'refused')),
      code int not null default 0,
      value jsonb,
      created_at timestamptz not null default now(),
      primary key (account_id, op_id)
    )`,
    sql`create index operations_register on operations (account_id, register, rev)`,
    sql`create table settings (
      account_id uuid not null references accounts on delete cascade,
      group_name text not null,
      config_key text not null,
      config_value text not null,
      since bigint not null,
      rev bigint not null,
      primary key (account_id, group_name, config_key)
    )`,
    sql`create index settings_rev on settings (account_id, rev)`,
    // Transcriptions and their charges, retained after the recording is deleted to explain bills.
    sql`create table transcription_history (
      task_id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      recording_id uuid,
      name text not null,
      total_time double precision not null,
      language text not null,
      status smallint not null,
      error_code int,
      minutes int not null default 0,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`,
    sql`create index transcription_history_list on transcription_history (account_id, created_at desc)`,
    // Charges are retained after the recording is deleted.
    sql`alter table minute_charges drop constraint minute_charges_task_id_fkey`,
    // Orders outlive their account, because invoices must be retained. `email` is the billed address.
    sql`create table orders (
      id uuid primary key,
      account_id uuid references accounts on delete set null,
      email text not null,
      plan text not null,
      price int not null,
      currency text not null,
      status text not null
        check (status in ('pending', 'paid', 'failed', 'canceled', 'expired', 'refunded')),
      provider text not null,
      provider_ref text,
      payment_ref text,
      return_path text not null,
      created_at timestamptz not null,
      paid_at timestamptz,
      closed_at timestamptz,
      unique (provider, provider_ref),
      unique (provider, payment_ref)
    )`,
    sql`create index orders_pending on orders (created_at) where status = 'pending'`,
    sql`create index orders_list on orders (account_id, created_at desc)`,
    sql`create table subscriptions (
      id uuid primary key,
      account_id uuid not null unique references accounts on delete cascade,
      plan text not null,
      status text not null check (status in ('active', 'past_due', 'canceled', 'ended')),
      period_end timestamptz not null,
      provider text not null,
      provider_ref text not null,
      asked_at timestamptz not null,
      created_at timestamptz not null,
      unique (provider, provider_ref)
    )`,
    sql`create index subscriptions_due on subscriptions (period_end) where status != 'ended'`,
    // Payment events are processed once, even if sent twice.
    sql`create table payment_events (
      provider text not null,
      event_id text not null,
      created_at timestamptz not null default now(),
      primary key (provider, event_id)
    )`,
    // `vip_rest_*`: trial or granted time suspended by a membership that was purchased during it.
    sql`alter table accounts
      add column closed_at timestamptz,
      add column epoch text not null default left(gen_random_uuid()::text, 8),
      add column vip_renews boolean not null default false,
      add column vip_rest_plan text check (vip_rest_plan in ('trial', 'granted')),
      add column vip_rest_seconds bigint not null default 0,
      add check ((vip_rest_plan is null) = (vip_rest_seconds = 0))`,
    // Addresses to notify when an account's erasure is complete.
    sql`create table farewells (
      account_id uuid primary key,
      email text not null,
      closed_at timestamptz not null
    )`,
    sql`create table feedback (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      content text not null,
      contact text not null,
      log_key text,
      created_at timestamptz not null default now()
    )`,
  ];
  for (const statement of statements) await statement.execute(db);
}

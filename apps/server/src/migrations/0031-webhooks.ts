import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds webhooks and their deliveries, which are both the outbox and the log. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table webhooks (
    id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    url text not null,
    events jsonb not null,
    secret bytea not null,
    old_secret bytea,
    old_secret_until timestamptz,
    failing_since timestamptz,
    disabled_at timestamptz,
    disabled_reason text,
    wake_at timestamptz,
    running_until timestamptz,
    paused_until timestamptz,
    created_at timestamptz not null
  )`.execute(db);
  await sql`create index on webhooks (account_id)`.execute(db);
  await sql`create table webhook_deliveries (
    id uuid primary key,
    webhook_id uuid not null references webhooks on delete cascade,
    type text not null,
    recording_id uuid,
    client_flag text,
    occurred_at timestamptz not null,
    status text not null,
    gathers boolean not null default false,
    due_at timestamptz,
    attempts int not null default 0,
    tries int not null default 0,
    attempted_at timestamptz,
    duration_ms int,
    response_status int,
    failure text,
    created_at timestamptz not null
  )`.execute(db);
  await sql`create index on webhook_deliveries (webhook_id, id)`.execute(db);
  await sql`create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at)
    where status = 'waiting'`.execute(db);
  await sql`create unique index webhook_deliveries_gathering on webhook_deliveries (webhook_id, recording_id)
    where gathers`.execute(db);
}

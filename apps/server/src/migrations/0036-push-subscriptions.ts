import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds push subscriptions. Each belongs to a session and is deleted with it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table push_subscriptions (
    session_id uuid primary key references sessions on delete cascade,
    account_id uuid not null references accounts on delete cascade,
    endpoint text not null unique,
    p256dh text not null,
    auth text not null,
    events jsonb not null,
    shows_titles boolean not null,
    time_zone text not null,
    todos_at timestamptz,
    todos_day text,
    failing_since timestamptz,
    created_at timestamptz not null
  )`.execute(db);
  await sql`create index on push_subscriptions (account_id)`.execute(db);
  await sql`create index on push_subscriptions (todos_at)`.execute(db);
}

import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the live text of recordings in progress. A session's packets are deleted once they are recognized, and its
 * slices are kept for the recording's transcription. A worker holds a session until `held_until` and renews the hold
 * before it expires.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`create table live_sessions (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      client_flag text not null,
      language text not null,
      received int not null default 0,
      settled int not null default 0,
      processed int not null default 0,
      ended boolean not null default false,
      error_code int,
      tentative jsonb,
      held_by uuid,
      held_until timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (account_id, client_flag)
    )`,
    sql`create index live_sessions_updated on live_sessions (updated_at)`,
    sql`create table live_packets (
      session_id uuid not null references live_sessions on delete cascade,
      first int not null,
      packets bytea not null,
      primary key (session_id, first)
    )`,
    sql`create table live_slices (
      session_id uuid not null references live_sessions on delete cascade,
      first int not null,
      count int not null check (count > 0),
      sha256 bytea not null,
      result jsonb,
      text text not null,
      primary key (session_id, first)
    )`,
  ];
  for (const statement of statements) await statement.execute(db);
}

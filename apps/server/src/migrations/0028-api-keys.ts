import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds API keys. Each key has its own session, and ends with it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table api_keys (
    session_id uuid primary key references sessions on delete cascade,
    hash bytea not null unique,
    scopes jsonb not null,
    last_used_at timestamptz,
    expires_at timestamptz
  )`.execute(db);
}

import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds share links, which show a recording without an account. They are deleted with the recording or the account. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table share_links (
    id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    recording_id uuid not null references recordings on delete cascade,
    parts jsonb not null,
    password_hash text,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    view_count integer not null default 0,
    views jsonb not null default '[]'
  )`.execute(db);
  await sql`create index share_links_account on share_links (account_id, created_at)`.execute(db);
  await sql`create index share_links_recording on share_links (recording_id)`.execute(db);
}

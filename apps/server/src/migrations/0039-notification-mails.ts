import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds the events that accounts are emailed about, and the transcripts waiting for the next email. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table notification_mails (
    account_id uuid primary key references accounts on delete cascade,
    events jsonb not null,
    time_zone text not null,
    digest_at timestamptz,
    digest_sent_at timestamptz,
    todos_at timestamptz,
    todos_day text
  )`.execute(db);
  await sql`create index on notification_mails (todos_at)`.execute(db);
  await sql`create table waiting_transcripts (
    recording_id uuid primary key references recordings on delete cascade,
    account_id uuid not null references notification_mails on delete cascade,
    entry uuid not null
  )`.execute(db);
  await sql`create index on waiting_transcripts (account_id)`.execute(db);
}

import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the voices of speakers, if the account has agreed to store them, and the names proposed for speakers. The
 * embedding of a speaker is a unit vector, stored as 32-bit floats in little-endian order.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`create table speaker_voices (
      recording_id uuid not null references recordings on delete cascade,
      speaker text not null,
      account_id uuid not null references accounts on delete cascade,
      model text not null,
      embedding bytea not null,
      is_answered boolean not null default false,
      created_at timestamptz not null default now(),
      primary key (recording_id, speaker)
    )`,
    sql`create index speaker_voices_account on speaker_voices (account_id)`,
    sql`alter table recordings add column proposals jsonb not null default '{}'`,
  ];
  for (const statement of statements) await statement.execute(db);
}

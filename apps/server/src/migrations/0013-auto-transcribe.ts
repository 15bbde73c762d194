import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds whether phones may transcribe a recording automatically, as chosen by the client that registered it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table recordings add column auto_transcribe boolean not null default true`.execute(
    db,
  );
}

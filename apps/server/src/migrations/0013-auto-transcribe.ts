import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Whether phones may have a recording transcribed without being asked, as the client that registered it said. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table recordings add column auto_transcribe boolean not null default true`.execute(
    db,
  );
}

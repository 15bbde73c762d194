import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds the type of recordings. It's null if a recording was registered without one. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const table of ['recordings', 'transcription_history']) {
    await sql`alter table ${sql.table(table)} add column scene text
      check (scene in ('call', 'meeting', 'note', 'audio'))`.execute(db);
  }
}

import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the language spoken in a recording, as set by the user (null for the account's language), and transcriptions of
 * a range of paragraphs. A paragraph has a language if its range was transcribed in a different language.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table recordings add column language text`.execute(db);
  await sql`alter table tasks add column range jsonb`.execute(db);
  await sql`alter table paragraphs add column language text`.execute(db);
}

import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the language of paragraphs to their passages, which workers rebuild in format 3. Meanwhile, they have the language
 * of the transcript.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table passages add column language text`.execute(db);
  await sql`drop index passages_outdated`.execute(db);
  await sql`create index passages_outdated on passages (account_id)
    where ordinal = -1 and format < 3`.execute(db);
}

import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the concepts of paragraphs to their passages. Workers rebuild the passages, which can be searched meanwhile. The
 * length of a passage no longer is its number of terms, because these include concepts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table passages add column length smallint`.execute(db);
  await sql`update passage_revisions set rev = 0`.execute(db);
}

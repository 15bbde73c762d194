import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the concepts of paragraphs to their passages. Workers rebuild the passages, which can be searched meanwhile. The
 * length of a passage is no longer its number of terms, because these include concepts. Processes of the previous
 * version insert passages in format 1, which are rebuilt as well.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table passages add column length int, add column format smallint not null default 1`.execute(
    db,
  );
  await sql`create index passages_outdated on passages (account_id)
    where ordinal = -1 and format < 2`.execute(db);
}

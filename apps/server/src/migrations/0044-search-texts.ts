import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the index of the server's search. Workers fill it as they rebuild the passages in format 4. Meanwhile, and for
 * recordings that a process of the previous version has indexed, the search reads the paragraphs.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`create table search_texts (
      recording_id uuid primary key references recordings on delete cascade,
      text text not null,
      grams int[] not null
    )`,
    // ANALYZE would otherwise read thousands of grams per row.
    sql`alter table search_texts alter column grams set statistics 0`,
    // With `fastupdate`, every search would have to scan the list of pending entries.
    sql`create index search_texts_grams on search_texts using gin (grams) with (fastupdate = off)`,
    // The index for format 3 remains, because dropping it would wait for queries that wait for this transaction.
    sql`create index passages_before_format_4 on passages (account_id)
      where ordinal = -1 and format < 4`,
  ];
  for (const statement of statements) await statement.execute(db);
}

import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds the language spoken in a recording, as set by its owner. It's null for the account's language. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table recordings add column language text`.execute(db);
}

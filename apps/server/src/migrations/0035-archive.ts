import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds whether a recording is archived. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table recordings add column is_archived smallint not null default 0`.execute(db);
}

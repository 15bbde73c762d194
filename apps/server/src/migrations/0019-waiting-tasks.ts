import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds when a task started to wait for an unavailable service. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table tasks add column waiting_since timestamptz`.execute(db);
}

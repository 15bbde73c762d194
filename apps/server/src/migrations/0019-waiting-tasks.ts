import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds the time since which a task has waited for a service that is unavailable. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table tasks add column waiting_since timestamptz`.execute(db);
}

import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the levels of recorded calls. They have their own table, because most queries read whole recording rows, and a
 * long call's levels are several hundred kilobytes.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table call_levels (
    recording_id uuid primary key references recordings on delete cascade,
    levels bytea not null
  )`.execute(db);
}

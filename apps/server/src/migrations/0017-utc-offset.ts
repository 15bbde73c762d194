import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the offset from UTC of the clock that a recording was made by, in minutes, so that *tomorrow* is the owner's
 * tomorrow. It's 0 for existing recordings, whose offset is unknown. Offsets range from −12:00 to +14:00.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table recordings add column utc_offset smallint not null default 0
    check (utc_offset between -1440 and 1440)`.execute(db);
}

import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the UTC offset, in minutes, of the clock that dated a recording, so that *tomorrow* is the user's tomorrow. It's
 * 0 for existing recordings, whose offset is unknown. Offsets range from −12:00 to +14:00.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table recordings add column utc_offset smallint not null default 0
    check (utc_offset between -1440 and 1440)`.execute(db);
}

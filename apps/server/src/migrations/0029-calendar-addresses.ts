import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds the addresses of calendars. Each belongs to a session of its own, so that an address ends with it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table calendar_addresses (
    session_id uuid primary key references sessions on delete cascade
  )`.execute(db);
}

import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds calendar URLs. Each URL has its own session, and ends with it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table calendar_addresses (
    session_id uuid primary key references sessions on delete cascade
  )`.execute(db);
}

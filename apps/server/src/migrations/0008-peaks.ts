import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Recordings are drawn on phones that have no sound of them. Those from before are measured when they are heard again. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table recordings add column peaks text not null default ''`.execute(db);
}

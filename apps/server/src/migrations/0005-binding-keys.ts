import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds `binding_key`, the sealed key (`sealed-key.ts`) of a binding made with version 2 of the recorder's protocol. It
 * is null for version 1.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table bindings add column binding_key bytea`.execute(db);
}

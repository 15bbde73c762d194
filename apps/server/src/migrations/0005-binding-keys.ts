import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * `binding_key` is the key of a binding of the recorder's protocol version 2, sealed (`sealed-key.ts`); null for a
 * recorder that was bound under version 1.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table bindings add column binding_key bytea`.execute(db);
}

import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * `public_key` is the Ed25519 key that a registered recorder signs with; null for one that has none. `is_proved` tells
 * whether the recorder has signed for the account that is bound to it: a binding without that gives way to one with it.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table devices add column public_key bytea`.execute(db);
  await sql`alter table bindings add column is_proved boolean not null default false`.execute(db);
}

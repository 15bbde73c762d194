import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds `public_key`, which verifies a registered recorder's Ed25519 signatures (null if it has no key), and
 * `is_proved`, which is true if the recorder has signed for the bound account. A proven binding replaces an unproven
 * one.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table devices add column public_key bytea`.execute(db);
  await sql`alter table bindings add column is_proved boolean not null default false`.execute(db);
}

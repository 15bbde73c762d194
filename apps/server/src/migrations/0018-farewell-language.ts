import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the language of the email that confirms the deletion of an account, because the account's settings are deleted
 * before it is sent. Confirmations that are already pending are sent in English.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table farewells add column language text not null default 'en'`.execute(db);
}

import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds feedback from signed-out users, its kind, and the app's log. `log_key` remains for uploaded logs.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table feedback
      alter column account_id drop not null,
      add column kind text not null default 'other',
      add column log text not null default ''`.execute(db);
}

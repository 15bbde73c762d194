import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Feedback may come from somebody without an account, says of what kind it is, and brings the app's log with
 * it; `log_key` stays for logs that were uploaded.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table feedback
      alter column account_id drop not null,
      add column kind text not null default 'other',
      add column log text not null default ''`.execute(db);
}

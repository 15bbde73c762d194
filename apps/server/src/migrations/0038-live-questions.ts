import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds threads about a recording in progress, which has only a client flag. Their quotes have neither a recording nor a
 * paragraph, and are erased with the thread.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`alter table question_threads add column client_flag text`,
    sql`create index question_threads_live on question_threads (account_id, client_flag)
      where client_flag is not null`,
    sql`alter table question_quotes alter column recording_id drop not null,
      alter column paragraph_id drop not null`,
    sql`alter table question_sentences alter column recording_id drop not null`,
  ];
  for (const statement of statements) await statement.execute(db);
}

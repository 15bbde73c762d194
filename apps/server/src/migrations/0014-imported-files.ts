import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Adds the scanned files of IMPORT_DIR, so that unchanged files aren't read again. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table imported_files (
    account_id uuid not null references accounts on delete cascade,
    path text not null,
    size bigint not null,
    modified_at timestamptz not null,
    outcome jsonb not null,
    primary key (account_id, path)
  )`.execute(db);
}

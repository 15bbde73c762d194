import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds vaults: folders with one Markdown file per recording. The files don't reference recordings, because the files of
 * a deleted recording have yet to be removed.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`create table vaults (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      kind text not null,
      place text not null,
      root text,
      username text not null default '',
      password bytea,
      template text,
      rev bigint not null default 0,
      written_at timestamptz,
      failure text,
      failures int not null default 0,
      failed_at timestamptz,
      next_at timestamptz,
      queued_at timestamptz,
      running_until timestamptz,
      stopped_at timestamptz,
      stopped_reason text,
      created_at timestamptz not null,
      unique (account_id, kind)
    )`,
    sql`create unique index vaults_folder on vaults (lower(place)) where kind = 'folder'`,
    sql`create table vault_files (
      vault_id uuid not null references vaults on delete cascade,
      recording_id uuid not null,
      name text not null,
      name_key text not null,
      digest text,
      next_name text,
      next_key text,
      next_digest text,
      failure text,
      primary key (vault_id, recording_id)
    )`,
    sql`create unique index vault_files_name on vault_files (vault_id, name_key)`,
    sql`create index vault_files_next on vault_files (vault_id, next_key) where next_key is not null`,
  ];
  for (const statement of statements) await statement.execute(db);
}

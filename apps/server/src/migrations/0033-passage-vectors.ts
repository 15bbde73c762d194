import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the vectors for finding paragraphs with the same meaning as a question. They are computed in the background if
 * the operator has configured a model.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`create table vector_revisions (
      account_id uuid primary key references accounts on delete cascade,
      -- The revision up to which the account's changed recordings are marked.
      rev bigint not null default 0,
      -- The latest version of the account's vectors.
      version bigint not null default 0
    )`,
    sql`create table passage_vectors (
      recording_id uuid primary key references recordings on delete cascade,
      account_id uuid not null,
      -- The account's revision that last changed the recording, and the one that the vectors were computed for.
      changed_rev bigint not null,
      computed_rev bigint not null default -1,
      -- The model of all vectors of the recording; null before the first.
      model text,
      task_id uuid,
      version bigint not null default 0,
      windows bytea not null default '',
      bits bytea not null default '',
      vectors bytea not null default '',
      failures smallint not null default 0,
      retry_at timestamptz not null default 'epoch'
    )`,
    // Random bits can't be compressed. Parts of uncompressed values can be read without the rest.
    sql`alter table passage_vectors
      alter column windows set storage external,
      alter column bits set storage external,
      alter column vectors set storage external`,
    sql`create index passage_vectors_version on passage_vectors (account_id, model, version)`,
    sql`create index passage_vectors_changed on passage_vectors (retry_at) where changed_rev <> computed_rev`,
  ];
  for (const statement of statements) await statement.execute(db);
}

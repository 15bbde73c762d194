import type { SqlDatabase, Statement } from './database.ts';

/**
 * The schema's history. A migration is never changed once it was released; a new one is appended. The
 * version reached is SQLite's own `user_version`.
 */
const migrations: readonly (readonly string[])[] = [
  // 1: the specification's record table as it was first, and what lies beside it.
  [
    `create table record (
      id text primary key,
      title text not null default '',
      uid text not null,
      create_date text not null,
      update_date text not null,
      record_time integer not null default 0,
      is_local integer not null default 0 check (is_local in (0, 2)),
      server_id text,
      device_file_id integer,
      summary text not null default '',
      is_trans integer not null default 0 check (is_trans between 0 and 3),
      process integer not null default 0,
      rec_source integer not null default 1 check (rec_source in (1, 2)),
      tags text not null default '[]',
      content text not null default '[]',
      brief text not null default '',
      keywords text not null default '[]',
      localfile text not null default '',
      server_url text not null default '',
      mind_pic_url text not null default '',
      mind_src_url text not null default '',
      markers text not null default '[]',
      is_new integer not null default 1 check (is_new in (0, 1)),
      is_del integer not null default 0 check (is_del in (0, 1)),
      audio_bytes integer not null default 0,
      peaks blob,
      task_id text,
      task_language text,
      wanted_language text,
      trouble text
    ) strict`,
    `create index record_by_date on record (uid, is_del, create_date desc)`,
    `create unique index record_by_server on record (uid, server_id) where server_id is not null`,
    `create table copy (
      record_id text not null references record (id) on delete cascade,
      place text not null check (place in ('recorder', 'phone', 'cloud')),
      status text not null check (status in ('absent', 'partial', 'whole', 'verified')),
      bytes integer not null default 0,
      sha256 text not null default '',
      primary key (record_id, place)
    ) strict, without rowid`,
    `create table tombstone (id text primary key, uid text not null, deleted_at text not null) strict, without rowid`,
  ],
  // 2: columns the specification added to older databases.
  [
    `alter table record add column ai_title text not null default ''`,
    `alter table record add column summary_json text`,
    `alter table record add column local_noise_file text not null default ''`,
    `alter table record add column sn text not null default ''`,
  ],
];

/** The version this code expects. */
export const SCHEMA_VERSION = migrations.length;

/**
 * Brings a database to `target`, each step in its own transaction.
 * @throws SqlError; RangeError on a database from a newer app, which is left as it is.
 */
export async function migrate(database: SqlDatabase, target = SCHEMA_VERSION): Promise<void> {
  const [row] = await database.query('pragma user_version');
  const version = Number(row?.user_version ?? 0);
  if (version > target) {
    throw new RangeError(`the database has version ${version}, this app knows ${target}`);
  }
  for (let next = version + 1; next <= target; next++) {
    const steps = migrations[next - 1] as readonly string[];
    const statements: Statement[] = steps.map((sql) => [sql]);
    await database.batch([...statements, [`pragma user_version = ${next}`]]);
  }
}

const markStale = 'insert into vault_stale (vault_id, record_id)';
const again = 'on conflict (vault_id, record_id) do update set mark = mark + 1';
const anyChanged = (columns: readonly string[]) =>
  columns.map((column) => `old.${column} is not new.${column}`).join(' or ');

/** The columns of a record that its note shows or that determine whether it has a note. */
const noteColumns = [
  ...['title', 'ai_title', 'create_date', 'record_time', 'tags', 'place', 'speakers', 'ticks'],
  ...['brief', 'summary', 'summary_json', 'named', 'mind_map', 'xmind_json'],
  ...['task_language', 'results_task', 'is_del', 'binned_by', 'is_local', 'localfile', 'uid'],
] as const;

const paragraphTrigger = (name: string, event: string, row: 'old' | 'new') =>
  `create trigger vault_paragraph_${name} after ${event} begin
    ${markStale} select vault.id, record.id from vault join record on record.uid = vault.uid
      where record.id = ${row}.record_id ${again};
  end`;

/**
 * The folder of Markdown files that the user has picked on this device (migration 25). `vault_file` holds the last
 * written state. Triggers mark recordings whose note may have changed as stale in the transaction that changes them.
 * `mark` counts the changes, so that a change during an update isn't lost.
 */
export const vaultSchema: readonly string[] = [
  `create table vault (
    id text primary key,
    uid text not null unique,
    name text not null,
    -- Null for the default template.
    template text,
    -- When the files were last brought up to date (ISO 8601).
    written_at text
  ) strict, without rowid`,
  `create table vault_file (
    vault_id text not null references vault (id) on delete cascade,
    record_id text not null,
    name text not null,
    -- The name without differences that some systems ignore.
    name_key text not null,
    digest text,
    next_name text,
    next_key text,
    next_digest text,
    failure text,
    primary key (vault_id, record_id)
  ) strict, without rowid`,
  'create index vault_file_by_name on vault_file (vault_id, name_key)',
  'create index vault_file_by_next_name on vault_file (vault_id, next_key) where next_key is not null',
  `create table vault_stale (
    vault_id text not null references vault (id) on delete cascade,
    record_id text not null,
    mark integer not null default 0,
    primary key (vault_id, record_id)
  ) strict, without rowid`,
  `create trigger vault_record_added after insert on record begin
    ${markStale} select id, new.id from vault where uid = new.uid ${again};
  end`,
  `create trigger vault_record_changed after update of ${noteColumns.join(', ')} on record
    when ${anyChanged(noteColumns)}
  begin
    ${markStale} select id, new.id from vault where uid = new.uid ${again};
  end`,
  `create trigger vault_record_gone after delete on record begin
    ${markStale} select id, old.id from vault where uid = old.uid ${again};
  end`,
  paragraphTrigger('added', 'insert on paragraph', 'new'),
  paragraphTrigger(
    'changed',
    `update of body, task_id, ordinal, record_id on paragraph when ${anyChanged(['body', 'task_id', 'ordinal', 'record_id'])}`,
    'new',
  ),
  paragraphTrigger('gone', 'delete on paragraph', 'old'),
];

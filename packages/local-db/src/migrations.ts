import type { SqlDatabase, Statement } from './database.ts';
import {
  searchAddedResults,
  searchNotes,
  searchSchema,
  searchSpeakers,
  searchSummaryNames,
} from './search/schema.ts';
import { namesOfAddedRecord, speakerNamesSchema } from './speaker-names/schema.ts';
import { vaultSchema } from './vault-schema.ts';

/** An SQL expression that returns a version 4 UUID. */
const newUuid = `lower(printf('%s-%s-4%s-%s%s-%s', hex(randomblob(4)), hex(randomblob(2)),
  substr(hex(randomblob(2)), 2), substr('89ab', 1 + (random() & 3), 1),
  substr(hex(randomblob(2)), 2), hex(randomblob(6))))`;

/**
 * The schema's migrations, in order. Never change a released one; append a new one instead. SQLite's `user_version`
 * holds the schema version.
 */
const migrations: readonly (readonly string[])[] = [
  // 1: the record table of the specification's first version, and the sync state.
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
  // 2: columns added by the specification.
  [
    `alter table record add column ai_title text not null default ''`,
    `alter table record add column summary_json text`,
    `alter table record add column local_noise_file text not null default ''`,
    `alter table record add column sn text not null default ''`,
  ],
  // 3: edits as operations, and their outcomes.
  [
    `alter table record add column place text`,
    `alter table record add column speakers text not null default '{}'`,
    `alter table record add column ticks text not null default '{}'`,
    `alter table record add column mind_map text`,
    `alter table record add column xmind_json text`,
    // The revision of the last server row that was applied.
    `alter table record add column rev integer not null default 0`,
    // The editable fields as confirmed by the server, or null while no operation is pending.
    `alter table record add column base text`,
    // The task whose paragraphs are the record's content, and when it was created.
    `alter table record add column results_task text`,
    `alter table record add column results_at text not null default ''`,
    `create table operation (
      seq integer primary key autoincrement,
      op_id text not null unique,
      uid text not null,
      record_id text,
      body text not null,
      answered integer not null default 0 check (answered in (0, 1))
    ) strict`,
    `create index operation_by_record on operation (record_id)`,
    `create table cursor (
      uid text primary key,
      cursor text not null,
      -- The revision up to which everything was seen.
      rev integer not null
    ) strict, without rowid`,
    `create table setting (
      uid text not null,
      group_name text not null,
      config_key text not null,
      config_value text not null,
      -- What the server has, or null while it has nothing.
      base text,
      primary key (uid, group_name, config_key)
    ) strict, without rowid`,
    // A paragraph of a transcript. `base` has the same meaning as in a record.
    `create table paragraph (
      task_id text not null,
      ordinal integer not null,
      record_id text not null,
      id text not null,
      body text not null,
      base text,
      rev integer not null default 0,
      primary key (task_id, ordinal)
    ) strict`,
    `create index paragraph_by_record on paragraph (record_id, id)`,
    // Task results that arrived before their recordings.
    `create table early_task (
      task_id text primary key,
      record_id text not null,
      body text not null
    ) strict`,
    `create index early_task_by_record on early_task (record_id)`,
    // 1 if the recording's audio might still be on the phone.
    `alter table tombstone add column audio integer not null default 0 check (audio in (0, 1))`,

    // Move the records' content to its own table. Which task produced existing content is unknown.
    `update record set results_task = case
        when is_trans = 2 then coalesce(task_id, id) else id end
      where content <> '[]'`,
    `insert into paragraph (task_id, ordinal, record_id, id, body)
      select record.results_task, each.key, record.id, json_extract(each.value, '$.id'), each.value
      from record, json_each(record.content) as each where record.content <> '[]'`,
    `alter table record drop column content`,

    // Convert existing edits to operations, so that they're sent to the server. Later edits on other devices override
    // them.
    ...[
      [`title <> ''`, `'type', 'recording.rename', 'name', title`],
      [`is_del = 1`, `'type', 'recording.bin'`],
    ].map(
      ([edited, fields]) => `insert into operation (op_id, uid, record_id, body)
        select ${newUuid}, uid, id,
          json_object('base_rev', 0, 'at', update_date, 'recording', id, ${fields})
        from record where ${edited}`,
    ),
    `update operation set body = json_set(body, '$.op_id', op_id)`,
  ],
  // 4: transcription of the denoised version.
  [
    `alter table record add column wanted_audio text not null default 'original'
       check (wanted_audio in ('original', 'cleaner'))`,
  ],
  // 5: search.
  searchSchema,
  // 6: the transcribed text of edited paragraphs.
  [`alter table paragraph add column original text`],
  // 7: search for speakers, and when a record was moved to the recycle bin (ISO 8601, or null if it isn't in the bin).
  [
    ...searchSpeakers,
    `alter table record add column binned_at text`,
    `update record set binned_at = update_date where is_del = 1`,
  ],
  // 8: the account of rows that arrived before their recording. For existing rows it's unknown, so they're deleted and
  // the cursor is reset, which makes the server send all changes again. Paragraphs without a uid belong to their
  // record's account.
  [
    `alter table early_task add column uid text`,
    `alter table paragraph add column uid text`,
    `delete from cursor where exists (select 1 from early_task)
       or exists (select 1 from paragraph where record_id not in (select id from record))`,
    `delete from early_task`,
    `delete from paragraph where record_id not in (select id from record)`,
  ],
  // 9: the distinction between stored and verified copies. Cloud copies used to be marked as verified without a digest,
  // so they count as stored until the server reports one. Also adds the times of copy states and setting values (ISO
  // 8601, '' if unknown), deletions, the retention of audio on this phone, and refused edits.
  [
    `create table copy_next (
      record_id text not null references record (id) on delete cascade,
      place text not null check (place in ('recorder', 'phone', 'cloud')),
      status text not null check (status in ('absent', 'partial', 'whole', 'stored', 'verified')),
      bytes integer not null default 0,
      sha256 text not null default '',
      since text not null default '',
      primary key (record_id, place),
      check (status <> 'verified' or length(sha256) = 64),
      check (place <> 'cloud' or status in ('absent', 'stored'))
    ) strict, without rowid`,
    `insert into copy_next (record_id, place, status, bytes, sha256)
      select record_id, place,
        case when place = 'cloud' and status <> 'absent' then 'stored'
             when status = 'verified' and length(sha256) <> 64 then 'whole' else status end,
        bytes, case when length(sha256) = 64 then sha256 else '' end
      from copy`,
    `drop table copy`,
    `alter table copy_next rename to copy`,
    `create table deletion (
      seq integer primary key autoincrement,
      record_id text not null references record (id) on delete cascade,
      place text not null check (place in ('recorder', 'phone', 'cloud')),
      because text not null,
      survivor text,
      sha256 text,
      at text not null
    ) strict`,
    `create index deletion_by_record on deletion (record_id)`,
    `alter table setting add column since text not null default ''`,
    `create table refused_edit (
      op_id text primary key,
      uid text not null,
      body text not null,
      code integer not null,
      msg text not null,
      seq integer not null
    ) strict, without rowid`,
    `alter table record add column kept_here text not null default 'auto'
       check (kept_here in ('auto', 'always', 'never'))`,
  ],
  // 10: recordings that are transcribed only on request.
  [`alter table record add column auto_transcribe integer not null default 1`],
  // 11: folders from which files are imported. A file's outcome is a `FolderFileResult` status or a failure code.
  [
    `create table folder (
      seq integer primary key autoincrement,
      id text not null unique,
      uid text not null,
      name text not null,
      retention text not null check (retention in ('keep', 'delete'))
    ) strict`,
    `create table folder_file (
      folder_id text not null references folder (id) on delete cascade,
      path text not null,
      size integer not null,
      -- Milliseconds since 1970.
      modified_at integer not null,
      outcome text not null,
      record_id text,
      sha256 text,
      primary key (folder_id, path)
    ) strict, without rowid`,
  ],
  // 12: the type of recording. For existing rows it's unknown whether a note is a meeting.
  [
    `alter table record add column scene text not null default 'note'
       check (scene in ('call', 'meeting', 'note', 'audio'))`,
    `update record set scene = iif(rec_source = 2, 'call', 'audio') where rec_source = 2 or sn = ''`,
  ],
  // 13: folding ignores more differences, so all texts are indexed again.
  ['insert or ignore into search_stale (record_id, page) select record_id, page from search_page'],
  // 14: changes to earlier transcripts that couldn't be placed in the latest one.
  [`alter table record add column unplaced text not null default '[]'`],
  // 15: typed notes.
  [`alter table record add column notes text not null default '[]'`],
  // 16: the language spoken in a recording, or null for the account's language.
  [
    'alter table record add column language text',
    'create index record_by_language on record (uid) where language is not null',
  ],
  // 17: proposed speaker names. The cursor is reset, because an earlier version of the app ignored the notes, languages
  // and proposals that it received.
  [`alter table record add column proposals text not null default '{}'`, 'delete from cursor'],
  // 18: the transcribed texts of replaced transcripts, kept until all paragraphs of the new transcript are received.
  [
    `create table kept_original (
      record_id text not null references record (id) on delete cascade,
      paragraph_id text not null,
      original text not null,
      primary key (record_id, paragraph_id)
    ) strict, without rowid`,
  ],
  // 19: the source recordings of a merged recording, stored until the server has merged their transcripts, and the
  // recording that this one continues.
  [
    'alter table record add column merged_from text',
    'alter table record add column continues text',
    'create index record_by_continues on record (uid) where continues is not null',
  ],
  // 20: notes and markers can be searched.
  searchNotes,
  // 21: names and terms for speech recognition.
  [`alter table record add column words text not null default '[]'`],
  // 22: the current names of speakers in summaries.
  [...speakerNamesSchema, ...searchSummaryNames],
  // 23: archived recordings. The cursor is reset, because an earlier version of the app ignored this field.
  [
    'alter table record add column is_archived integer not null default 0 check (is_archived in (0, 1))',
    'delete from cursor',
  ],
  // 24: recordings that are protected from retention rules, or were moved to the recycle bin by one. The cursor is
  // reset, because an earlier version of the app ignored both fields.
  [
    'alter table record add column is_protected integer not null default 0 check (is_protected in (0, 1))',
    'alter table record add column binned_by text',
    'delete from cursor',
  ],
  // 25: the folder of Markdown files that the user has picked.
  vaultSchema,
  // 26: triggers for recordings that are inserted together with their results.
  [searchAddedResults, namesOfAddedRecord],
];

/** The schema version of this code. */
export const SCHEMA_VERSION = migrations.length;

/**
 * Migrates a database to version `target` in one transaction, because each transaction has to reach the disk.
 * @throws SqlError
 * @throws RangeError if a newer version of the app created the database, which is then left unchanged
 */
export async function migrate(database: SqlDatabase, target = SCHEMA_VERSION): Promise<void> {
  const [row] = await database.query('pragma user_version');
  const version = Number(row?.user_version ?? 0);
  if (version > target) {
    throw new RangeError(`database version ${version} is newer than ${target}`);
  }
  if (version === target) return;
  const steps = migrations.slice(version, target).flat();
  const statements = steps.map((sql): Statement => [sql]);
  await database.batch([...statements, [`pragma user_version = ${target}`]]);
}

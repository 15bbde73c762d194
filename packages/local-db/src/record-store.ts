import type { Change } from '@linnet/contract';
import { toSceneRecSource } from '@linnet/contract/statuses';
import {
  isDel,
  isNew,
  isTrans,
  type RecordPatch,
  type RecordSeed,
  type RecordStore,
} from '@linnet/sync';
import { applyChanges } from './apply-changes.ts';
import { text } from './columns.ts';
import { type Commits, emptyTransaction, type Transaction } from './commits.ts';
import type { SqlDatabase, Statement } from './database.ts';
import { insertImported } from './imported.ts';
import { createParagraphReader, selectParagraphs } from './paragraphs.ts';
import {
  readDetail,
  readLanguage,
  readNamed,
  readQueued,
  readReceipt,
  readWork,
  recordedScene,
  selectDeletions,
  selectDetail,
  selectNamed,
  selectQueued,
  selectSince,
  selectWork,
} from './rows.ts';
import { shownColumn } from './speaker-names/naming.ts';
import {
  accountDeletionStatements,
  copyStatement,
  placeholders,
  updateStatements,
} from './statements.ts';
import { Summaries } from './summaries.ts';

/** Maximum number of recordings whose to-dos are read, which takes time for each. */
const TODO_RECORDS = 1000;

/** Creates a record store backed by SQLite. */
export function createRecordStore(database: SqlDatabase, commits: Commits): RecordStore {
  const readParagraphs = createParagraphReader();
  const summaries = new Summaries(database, commits);

  return {
    summaries: async (uid) => (await summaries.read(uid)).kept,

    binned: async (uid) => (await summaries.read(uid)).binned,

    async speakerNames(uid) {
      const rows = await database.query(
        `select name.value as name, max(create_date) as last from record, json_each(record.speakers) as name
         where uid = ? and is_del = ${isDel.kept} group by name.value order by last desc, name.value`,
        [uid],
      );
      return rows.map(({ name }) => text(name));
    },

    async dueTodos(uid, first, last) {
      const rows = await database.query(
        `with summarized as (
           select id, create_date, ticks, ${shownColumn('summary_json')} from record
           where uid = ? and is_del = ${isDel.kept} and iif(json_valid(summary_json), 1, 0)
           order by create_date desc limit ${TODO_RECORDS})
         select summarized.id, todo.value ->> '$.text' as body, todo.value ->> '$.due' as due,
           todo.value ->> '$.paragraph_id' as paragraph
         from summarized, json_each(summary_json, '$.todos') as todo
         where due between ? and ? and not exists (
           select 1 from json_each(ticks) as tick where tick.key = todo.value ->> '$.id' and tick.value)
         order by due, create_date desc, summarized.id, todo.key`,
        [uid, first, last],
      );
      return rows.map((row) => ({
        ...{ recording: text(row.id), text: text(row.body), due: text(row.due) },
        paragraph: text(row.paragraph),
      }));
    },

    async detail(id) {
      // Start all queries before awaiting any, so that no write can run between them.
      const [[row], paragraphs, since, deletions] = await Promise.all([
        database.query(`${selectDetail} where id = ?`, [id]),
        database.query(selectParagraphs, [id]),
        database.query(selectSince, [id]),
        database.query(selectDeletions, [id]),
      ]);
      if (!row) return null;
      const content = readParagraphs(paragraphs);
      return readDetail(row, { content, receipt: readReceipt(since, deletions) });
    },

    async namesByServerId(uid, serverIds) {
      const rows = await database.query(
        `${selectNamed} where uid = ? and server_id in (select value from json_each(?))`,
        [uid, JSON.stringify(serverIds)],
      );
      return new Map(rows.map((row) => [text(row.server_id), readNamed(row)]));
    },

    async ensure(seed: RecordSeed) {
      let outcome: Awaited<ReturnType<RecordStore['ensure']>> = 'known';
      await commits.write(async () => {
        const [tombstone] = await database.query('select 1 from tombstone where id = ?', [seed.id]);
        const [existing] = await database.query('select audio_bytes from record where id = ?', [
          seed.id,
        ]);
        if (tombstone) {
          outcome = 'deleted';
          return emptyTransaction;
        }
        if (existing) {
          // The session may have grown since it was listed. Never shrink the size of a fully read session.
          return Number(existing.audio_bytes) < seed.audioBytes
            ? updateRecord(seed.id, { audioBytes: seed.audioBytes, record_time: seed.seconds })
            : emptyTransaction;
        }
        outcome = 'created';
        return {
          statements: [
            insertSession(seed),
            seed.source === 'recorder'
              ? copyStatement(seed.id, 'recorder', { status: 'whole', bytes: seed.audioBytes })
              : copyStatement(seed.id, 'phone', { status: 'partial', bytes: seed.audioBytes }),
          ],
          records: [seed.id],
        };
      });
      return outcome;
    },

    deleteAccountData: (uid) =>
      commits.write(async () => {
        const rows = await database.query('select id from record where uid = ?', [uid]);
        return {
          statements: accountDeletionStatements(uid),
          records: rows.map(({ id }) => text(id)),
        };
      }),

    add: (imported) =>
      commits.write(() => ({ statements: insertImported(imported), records: [imported.id] })),

    update: (id, patch) => commits.write(() => updateRecord(id, patch)),

    async work(ids) {
      if (ids.length === 0) return new Map();
      const rows = await database.query(
        `${selectWork} where id in (${placeholders(ids.length)})`,
        ids,
      );
      return new Map(rows.map((row) => [text(row.id), readWork(row)]));
    },

    async tombstones(ids) {
      if (ids.length === 0) return new Set();
      const rows = await database.query(
        `select id from tombstone where id in (${placeholders(ids.length)})`,
        ids,
      );
      return new Set(rows.map((row) => text(row.id)));
    },

    async unfinished(uid) {
      const rows = await database.query(
        `select record.id from record
           join copy phone on phone.record_id = record.id and phone.place = 'phone'
           left join copy recorder on recorder.record_id = record.id and recorder.place = 'recorder'
         where uid = ? and phone.status = 'whole'
           and ifnull(recorder.status, 'absent') in ('verified', 'absent')`,
        [uid],
      );
      return rows.map((row) => ({ id: text(row.id) }));
    },

    async interrupted(uid) {
      const rows = await database.query(
        `select record.id, sn, create_date, scene from record
           join copy phone on phone.record_id = record.id and phone.place = 'phone'
         where uid = ? and phone.status = 'partial' and not exists (
           select 1 from copy other
           where other.record_id = record.id and other.place <> 'phone' and other.status <> 'absent')
         order by create_date desc`,
        [uid],
      );
      return rows.map((row) => ({
        id: text(row.id),
        sn: text(row.sn),
        createDate: text(row.create_date),
        scene: recordedScene(row.scene),
      }));
    },

    discard: (id) =>
      commits.write(() => ({
        statements: [['delete from record where id = ?', [id]]],
        records: [id],
      })),

    async languages(uid) {
      const rows = await database.query(
        'select id, language from record where uid = ? and language is not null',
        [uid],
      );
      return new Map(rows.map((row) => [text(row.id), readLanguage(row.language)]));
    },

    async continuations(uid) {
      const rows = await database.query(
        `select record.id as id, record.continues as continues,
           (record.results_task is null) = (earlier.results_task is null)
             and ${hasAudio('record.id')} and ${hasAudio('earlier.id')} as complete
         from record join record as earlier on earlier.id = record.continues
         where record.uid = ? and record.continues is not null
           and record.is_del = ${isDel.kept} and earlier.is_del = ${isDel.kept}
         order by record.create_date, record.id`,
        [uid],
      );
      return rows.map((row) => {
        return { id: text(row.id), continues: text(row.continues), isComplete: row.complete === 1 };
      });
    },

    async queue(uid, upload) {
      const rows = await database.query(
        `${selectQueued} where uid = ? and is_del = 0 and (
           is_trans = ${isTrans.transferring} or wanted_language is not null or is_local = 0
           or is_trans = ${isTrans.untranslated}${upload ? ` or ${lacksCloudCopy}` : ''})
         order by is_trans in (${isTrans.translated}, ${isTrans.failed}) and wanted_language is null,
           create_date, id`,
        [uid],
      );
      return rows.map(readQueued);
    },

    storeResults: (id, { paragraphs, ...task }) =>
      commits.write(async () => {
        const [record] = await database.query('select uid from record where id = ?', [id]);
        if (!record) return emptyTransaction;
        const common = { rev: 0, client_flag: id };
        return applyChanges(database, text(record.uid), [
          { kind: 'task', ...common, task },
          ...paragraphs.map(
            (paragraph, ordinal): Change => ({
              kind: 'paragraph',
              ...common,
              task_id: task.id,
              ordinal,
              paragraph,
            }),
          ),
        ]);
      }),

    subscribe: (listener) => commits.subscribe(listener),
  };
}

/** An SQL condition for a recording whose audio is complete on the phone. */
const hasAudio = (id: string) =>
  `exists (select 1 from copy where record_id = ${id} and place = 'phone'
     and status in ('verified', 'stored'))`;

/** An SQL condition for a record whose verified audio on the phone isn't in the cloud. */
const lacksCloudCopy = `exists (select 1 from copy as held where held.record_id = record.id
    and held.place = 'phone' and held.status = 'verified'
    and not exists (select 1 from copy as stored where stored.record_id = record.id
      and stored.place = 'cloud' and stored.status = 'stored' and stored.sha256 = held.sha256))`;

function updateRecord(id: string, patch: RecordPatch): Transaction {
  return { statements: updateStatements(id, patch), records: [id] };
}

function insertSession(seed: RecordSeed): Statement {
  return [
    `insert into record
       (id, uid, sn, device_file_id, create_date, update_date, record_time, rec_source, scene,
        audio_bytes, is_new, continues)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      seed.id,
      seed.uid,
      seed.sn,
      seed.deviceFileId,
      seed.createDate,
      seed.createDate,
      seed.seconds,
      toSceneRecSource(seed.scene),
      seed.scene,
      seed.audioBytes,
      isNew.unread,
      seed.continues ?? null,
    ],
  ];
}

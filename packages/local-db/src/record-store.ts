import type { Task } from '@linnet/contract';
import { taskStatus, toRecSource } from '@linnet/contract/statuses';
import {
  type Copies,
  type CopyState,
  isLocal,
  isNew,
  isTrans,
  type RecordPatch,
  type RecordSeed,
  type RecordStore,
  type ServerRow,
  type Trouble,
} from '@linnet/sync';
import type { SqlDatabase, Statement } from './database.ts';
import {
  assignments,
  readDetail,
  readQueued,
  readSummary,
  readWork,
  selectDetail,
  selectQueued,
  selectSummary,
  selectWork,
} from './rows.ts';

const marks = (count: number) => Array(count).fill('?').join(', ');

function copyStatement(id: string, place: keyof Copies, copy: CopyState): Statement {
  return [
    `insert into copy (record_id, place, status, bytes, sha256)
     select ?, ?, ?, ?, ? where exists (select 1 from record where id = ?)
     on conflict (record_id, place) do update set
       status = excluded.status, bytes = excluded.bytes, sha256 = excluded.sha256`,
    [
      id,
      place,
      copy.status,
      copy.status === 'absent' ? 0 : copy.bytes,
      copy.status === 'verified' ? copy.sha256 : '',
      id,
    ],
  ];
}

/** Keeps records in SQLite. The database must have been migrated. */
export function createRecordStore(
  database: SqlDatabase,
  now: () => string = () => new Date().toISOString(),
): RecordStore {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };

  async function write(statements: readonly Statement[]): Promise<void> {
    await database.batch(statements);
    tell();
  }

  function updateStatements(id: string, patch: RecordPatch): Statement[] {
    const { columns, values } = assignments(patch, now());
    const statements: Statement[] = [];
    if (columns.length > 0) {
      statements.push([`update record set ${columns.join(', ')} where id = ?`, [...values, id]]);
    }
    for (const [place, copy] of Object.entries(patch.copies ?? {})) {
      if (copy) statements.push(copyStatement(id, place as keyof Copies, copy));
    }
    return statements;
  }

  return {
    async summaries(uid) {
      const rows = await database.query(
        `${selectSummary} where uid = ? and is_del = 0 order by create_date desc, id`,
        [uid],
      );
      return rows.map(readSummary);
    },

    async detail(id) {
      const [row] = await database.query(`${selectDetail} where id = ?`, [id]);
      return row ? readDetail(row) : null;
    },

    async ensure(seed: RecordSeed) {
      const [dead] = await database.query('select 1 from tombstone where id = ?', [seed.id]);
      if (dead) return 'deleted';
      const [known] = await database.query('select audio_bytes from record where id = ?', [
        seed.id,
      ]);
      if (known) {
        // Listed while it grew, perhaps; a size that was verified is never smaller.
        if (Number(known.audio_bytes) < seed.audioBytes) {
          await write(
            updateStatements(seed.id, { audioBytes: seed.audioBytes, record_time: seed.seconds }),
          );
        }
        return 'known';
      }
      await write([
        [
          `insert into record
             (id, uid, sn, device_file_id, create_date, update_date, record_time, rec_source, audio_bytes, is_new)
           values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`,
          [
            seed.id,
            seed.uid,
            seed.sn,
            seed.deviceFileId,
            seed.createDate,
            seed.createDate,
            seed.seconds,
            seed.recSource,
            seed.audioBytes,
            isNew.unread,
          ],
        ],
        copyStatement(seed.id, 'recorder', { status: 'whole', bytes: seed.audioBytes }),
      ]);
      return 'created';
    },

    update: (id, patch) => write(updateStatements(id, patch)),

    async work(ids) {
      if (ids.length === 0) return new Map();
      const rows = await database.query(`${selectWork} where id in (${marks(ids.length)})`, ids);
      return new Map(rows.map((row) => [row.id as string, readWork(row)]));
    },

    async tombstones(ids) {
      if (ids.length === 0) return new Set();
      const rows = await database.query(
        `select id from tombstone where id in (${marks(ids.length)})`,
        ids,
      );
      return new Set(rows.map((row) => row.id as string));
    },

    async unfinished(uid) {
      const rows = await database.query(
        `select record.id, phone.bytes, recorder.sha256 from record
           join copy phone on phone.record_id = record.id and phone.place = 'phone'
           join copy recorder on recorder.record_id = record.id and recorder.place = 'recorder'
         where uid = ? and phone.status = 'whole' and recorder.status = 'verified'`,
        [uid],
      );
      return rows.map((row) => ({
        id: row.id as string,
        bytes: row.bytes as number,
        sha256: row.sha256 as string,
      }));
    },

    async queue(uid) {
      const rows = await database.query(
        `${selectQueued} where uid = ? and is_del = 0 and (
           is_trans = ${isTrans.transferring} or wanted_language is not null or is_local = 0
           or is_trans = ${isTrans.untranslated})
         order by create_date, id`,
        [uid],
      );
      return rows.map(readQueued);
    },

    async mergeServerRows(uid, serverRows) {
      const ids = serverRows.map((row) => row.client_flag || row.id);
      const known = new Map(
        (await database.query(`${selectQueued} where id in (${marks(ids.length)})`, ids)).map(
          (row) => [row.id as string, readQueued(row)],
        ),
      );
      const dead = await this.tombstones(ids);
      const statements = serverRows.flatMap((row, index) => {
        const id = ids[index] as string;
        if (dead.has(id)) return [];
        const local = known.get(id);
        return [
          ...(local ? [] : [insertFromServer(id, uid, row)]),
          ...updateStatements(id, serverPatch(row, local)),
        ];
      });
      if (statements.length > 0) await write(statements);
    },

    takeResults: (id, task) => write(updateStatements(id, resultsPatch(task))),

    async remove(id) {
      await write([
        [
          `insert into tombstone (id, uid, deleted_at) select id, uid, ? from record where id = ?
           on conflict (id) do nothing`,
          [now(), id],
        ],
        ['delete from record where id = ?', [id]],
      ]);
    },

    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function insertFromServer(id: string, uid: string, row: ServerRow): Statement {
  return [
    `insert into record
       (id, uid, sn, title, create_date, update_date, record_time, rec_source, audio_bytes, is_new)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`,
    [
      id,
      uid,
      row.sn,
      row.name,
      row.recorded_at,
      row.updated_at,
      Math.round(row.total_time),
      toRecSource(row.source),
      row.file_size,
      isNew.read,
    ],
  ];
}

/** What a row of the server's list changes on the phone. Results are fetched by the queue afterwards. */
function serverPatch(
  row: ServerRow,
  local: { task: { id: string } | null; is_trans: number } | undefined,
): RecordPatch {
  const head = row.task;
  const resultsHere = local?.task?.id === head?.id && local?.is_trans === isTrans.translated;
  const failure: Trouble | null =
    head?.status === taskStatus.failed
      ? {
          step: 'transcribe',
          code: 'failed',
          failure: { kind: 'server', code: head.error?.code ?? 0, msg: head.error?.msg ?? '' },
        }
      : null;
  return {
    is_local: isLocal.onServer,
    server_id: row.id,
    server_url: row.url ?? '',
    ai_title: row.ai_title,
    keywords: row.keywords,
    brief: row.brief,
    copies: {
      cloud: row.url
        ? { status: 'verified', bytes: row.file_size, sha256: '' }
        : { status: 'absent' },
    },
    ...(head && !resultsHere
      ? {
          task: { id: head.id, language: head.language },
          is_trans: failure ? isTrans.failed : isTrans.transferring,
          process: head.progress,
          trouble: failure,
        }
      : {}),
  };
}

function resultsPatch(task: Task): RecordPatch {
  return {
    is_trans: isTrans.translated,
    process: 100,
    trouble: null,
    ai_title: task.title,
    brief: task.brief,
    summary: task.summary,
    summary_json: task.summary_json === null ? null : JSON.stringify(task.summary_json),
    keywords: task.keywords,
    content: task.paragraphs,
    task: { id: task.id, language: task.language },
    mind_src_url: task.xmind_url ?? '',
  };
}

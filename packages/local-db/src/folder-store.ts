import type { Folder, FolderFile, FolderFileResult, FolderStore } from '@linnet/sync';
import { number, oneOf, text } from './columns.ts';
import type { Commits } from './commits.ts';
import type { SqlDatabase, SqlRow, SqlValue, Statement } from './database.ts';

const readRetention = oneOf('keep', 'delete');
const readFailure = oneOf(
  ...(['storage_full', 'file_missing', 'not_audio', 'no_sound', 'too_large', 'io_failed'] as const),
);

/** Creates a folder store backed by SQLite. */
export function createFolderStore(database: SqlDatabase, commits: Commits): FolderStore {
  const write = (...statements: Statement[]) => commits.write(() => ({ statements, records: [] }));

  return {
    async list(uid) {
      const rows = await database.query(
        'select id, uid, name, retention from folder where uid = ? order by seq',
        [uid],
      );
      return rows.map(readFolder);
    },
    async ids() {
      const rows = await database.query('select id from folder');
      return new Set(rows.map(({ id }) => text(id)));
    },
    add: ({ id, uid, name, retention }) =>
      write([
        'insert into folder (id, uid, name, retention) values (?, ?, ?, ?)',
        [id, uid, name, retention],
      ]),
    setRetention: (id, retention) =>
      write(['update folder set retention = ? where id = ?', [retention, id]]),
    remove: (id) => write(['delete from folder where id = ?', [id]]),
    async files(id) {
      const rows = await database.query(
        `select path, size, modified_at, outcome, record_id, sha256 from folder_file
         where folder_id = ?`,
        [id],
      );
      return new Map(rows.map(readFile).map((file) => [file.path, file]));
    },
    putFile: (id, { path, size, modifiedAt, result }) =>
      write([
        `insert into folder_file (folder_id, path, size, modified_at, outcome, record_id, sha256)
         select ?, ?, ?, ?, ?, ?, ? where exists (select 1 from folder where id = ?)
         on conflict (folder_id, path) do update set
           size = excluded.size, modified_at = excluded.modified_at, outcome = excluded.outcome,
           record_id = excluded.record_id, sha256 = excluded.sha256`,
        [id, path, size, modifiedAt, ...resultValues(result), id],
      ]),
    removeFile: (id, path) =>
      write(['delete from folder_file where folder_id = ? and path = ?', [id, path]]),
  };
}

function readFolder(row: SqlRow): Folder {
  return {
    id: text(row.id),
    uid: text(row.uid),
    name: text(row.name),
    retention: readRetention(row.retention),
  };
}

function readFile(row: SqlRow): FolderFile {
  return {
    path: text(row.path),
    size: number(row.size),
    modifiedAt: number(row.modified_at),
    result: readResult(row),
  };
}

function readResult(row: SqlRow): FolderFileResult {
  const outcome = text(row.outcome);
  switch (outcome) {
    case 'imported':
    case 'known':
    case 'deleted':
      return { status: outcome, recordId: text(row.record_id), sha256: text(row.sha256) };
    default:
      return { status: 'failed', code: readFailure(outcome) };
  }
}

/** Returns the values for the columns `outcome`, `record_id` and `sha256`. */
function resultValues(result: FolderFileResult): [SqlValue, SqlValue, SqlValue] {
  return result.status === 'failed'
    ? [result.code, null, null]
    : [result.status, result.recordId, result.sha256];
}

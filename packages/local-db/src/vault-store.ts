/** Stores which folder of Markdown files (vault) the user picked on this device, and the state of each file in it. */
import { vaultFailures } from '@linnet/contract/vaults';
import { nameKey } from '@linnet/vault/file-name';
import type { FileState, FileStates } from '@linnet/vault/update-file';
import { number, oneOf, orNull, text, textOrNull } from './columns.ts';
import type { Commits } from './commits.ts';
import type { SqlDatabase, SqlRow, SqlValue, Statement } from './database.ts';

/** A folder that the user picked. */
export type PickedVault = {
  readonly id: string;
  readonly uid: string;
  readonly name: string;
  /** The user's template; null for the default. */
  readonly template: string | null;
  /** When the files were last updated (ISO 8601); null before the first update. */
  readonly writtenAt: string | null;
};

/** A recording whose file may be out of date. */
export type StaleNote = {
  readonly recordId: string;
  /** Incremented whenever the recording changes. */
  readonly mark: number;
};

export type VaultStore = {
  /** Returns the account's folder, or null if the user hasn't picked one. */
  get(uid: string): Promise<PickedVault | null>;
  /** Returns the IDs of the folders of all accounts. */
  ids(): Promise<ReadonlySet<string>>;
  /** Replaces the account's folder. All of its recordings become stale. @throws StorageFull */
  put(vault: Pick<PickedVault, 'id' | 'uid' | 'name' | 'template'>): Promise<void>;
  /** Changes the template. All recordings become stale. @throws StorageFull */
  setTemplate(id: string, template: string | null): Promise<void>;
  /** @throws StorageFull */
  setWrittenAt(id: string, at: string): Promise<void>;
  /** Removes a folder and its files' states, but not the files themselves. @throws StorageFull */
  remove(id: string): Promise<void>;
  /** Returns the stale recordings, with failed ones last. */
  stale(id: string): Promise<readonly StaleNote[]>;
  /** Marks the file as up to date, unless the recording has changed since `note` was read. @throws StorageFull */
  settle(id: string, note: StaleNote): Promise<void>;
  /** Returns how many files were written and how many failed. */
  count(id: string): Promise<{ readonly files: number; readonly failed: number }>;
  states(id: string): FileStates;
};

const readFailure = orNull(oneOf(...vaultFailures));
const stateColumns = 'record_id, name, digest, next_name, next_digest, failure';

export function createVaultStore(database: SqlDatabase, commits: Commits): VaultStore {
  /** Doesn't notify subscribers, because no recording changes. */
  const write = (...statements: Statement[]) =>
    commits.maintain(async () => ({ statements, records: [] }));
  const allStale = (id: string): Statement => [
    `insert into vault_stale (vault_id, record_id)
     select vault.id, record.id from vault join record on record.uid = vault.uid where vault.id = ?
     on conflict (vault_id, record_id) do update set mark = mark + 1`,
    [id],
  ];

  return {
    async get(uid) {
      const [row] = await database.query(
        'select id, uid, name, template, written_at from vault where uid = ?',
        [uid],
      );
      return row ? readVault(row) : null;
    },
    async ids() {
      const rows = await database.query('select id from vault');
      return new Set(rows.map(({ id }) => text(id)));
    },
    put: ({ id, uid, name, template }) =>
      write(
        ['delete from vault where uid = ?', [uid]],
        [
          'insert into vault (id, uid, name, template) values (?, ?, ?, ?)',
          [id, uid, name, template],
        ],
        allStale(id),
      ),
    setTemplate: (id, template) =>
      write(['update vault set template = ? where id = ?', [template, id]], allStale(id)),
    setWrittenAt: (id, at) => write(['update vault set written_at = ? where id = ?', [at, id]]),
    remove: (id) => write(['delete from vault where id = ?', [id]]),
    async stale(id) {
      const rows = await database.query(
        `select record_id, mark from vault_stale left join vault_file using (vault_id, record_id)
         where vault_id = ? order by failure is not null, record_id`,
        [id],
      );
      return rows.map((row) => ({ recordId: text(row.record_id), mark: number(row.mark) }));
    },
    settle: (id, { recordId, mark }) =>
      write([
        'delete from vault_stale where vault_id = ? and record_id = ? and mark = ?',
        [id, recordId, mark],
      ]),
    async count(id) {
      const [row] = await database.query(
        `select count(digest) as files, count(failure) as failed from vault_file where vault_id = ?`,
        [id],
      );
      return { files: number(row?.files), failed: number(row?.failed) };
    },
    states: (id) => createFileStates(database, write, id),
  };
}

function createFileStates(
  database: SqlDatabase,
  write: (...statements: Statement[]) => Promise<void>,
  id: string,
): FileStates {
  async function read(recordingId: string): Promise<FileState | null> {
    const [row] = await database.query(
      `select ${stateColumns} from vault_file where vault_id = ? and record_id = ?`,
      [id, recordingId],
    );
    return row ? readState(row) : null;
  }
  return {
    read,
    async add(recordingId, name) {
      await write([
        `insert into vault_file (vault_id, record_id, name, name_key)
         select id, ?, ?, ? from vault where id = ?`,
        [recordingId, name, nameKey(name), id],
      ]);
      const none = { digest: null, nextName: null, nextDigest: null, failure: null };
      return { recordingId, name, ...none };
    },
    async store(recordingId, { name, nextName, digest, nextDigest, failure }) {
      const changes: readonly [string, SqlValue | undefined][] = [
        ['name', name],
        ['name_key', name && nameKey(name)],
        ['next_name', nextName],
        ['next_key', nextName && nameKey(nextName)],
        ['digest', digest],
        ['next_digest', nextDigest],
        ['failure', failure],
      ];
      const stored = changes.flatMap(([column, value]) =>
        value === undefined ? [] : [[column, value] as const],
      );
      if (stored.length === 0) return;
      await write([
        `update vault_file set ${stored.map(([column]) => `${column} = ?`).join(', ')}
         where vault_id = ? and record_id = ?`,
        [...stored.map(([, value]) => value), id, recordingId],
      ]);
    },
    remove: (recordingId) =>
      write(['delete from vault_file where vault_id = ? and record_id = ?', [id, recordingId]]),
    async isFree(recordingId, name) {
      const key = nameKey(name);
      const [other] = await database.query(
        `select 1 from vault_file where vault_id = ? and record_id <> ?
         and (name_key = ? or next_key = ?) limit 1`,
        [id, recordingId, key, key],
      );
      return other === undefined;
    },
  };
}

const readVault = (row: SqlRow): PickedVault => ({
  ...{ id: text(row.id), uid: text(row.uid), name: text(row.name) },
  ...{ template: textOrNull(row.template), writtenAt: textOrNull(row.written_at) },
});

const readState = (row: SqlRow): FileState => ({
  ...{ recordingId: text(row.record_id), name: text(row.name), digest: textOrNull(row.digest) },
  ...{ nextName: textOrNull(row.next_name), nextDigest: textOrNull(row.next_digest) },
  failure: readFailure(row.failure),
});

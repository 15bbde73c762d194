import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { BitChunk } from './scan.ts';
import { wordsFromBytes } from './vectors.ts';
import { unpackOrdinals } from './windows.ts';

/** The sign bits of a recording's vectors, in memory. */
export interface RecordingBits extends BitChunk {
  readonly recordingId: string;
  readonly taskId: string;
  /** The version of the recording's vectors in the database. */
  readonly version: number;
  /** The ordinal of each vector's paragraph. */
  readonly ordinals: Int32Array;
}

/** LRU cache for the sign bits of accounts' vectors, because reading them takes longer than comparing them. */
export interface BitCache {
  /**
   * Returns the up-to-date sign bits of all vectors of an account that were computed by a model. If they exceed the
   * cache's size, the recordings that were computed earliest are left out.
   */
  get(accountId: string, model: string): Promise<readonly RecordingBits[]>;
  /** Returns the memory in use, in bytes. */
  bytes(): number;
}

/** Default maximum size in bytes: 2.5 million vectors with 384 dimensions. */
const defaultMaxBytes = 128 * 2 ** 20;
/** Estimated overhead of a recording besides its vectors, in bytes. */
const recordingBytes = 400;
/** Number of recordings to read at once. */
const pageSize = 100;

interface Entry {
  readonly model: string;
  readonly recordings: Map<string, RecordingBits>;
  /** The version up to which changes have been read. */
  version: number;
  /** The account's number of rows when erased recordings were last removed. */
  rows: number;
  bytes: number;
  isTruncated: boolean;
  updating: Promise<void> | null;
}

export function createBitCache(
  db: Database,
  { maxBytes = defaultMaxBytes }: { readonly maxBytes?: number } = {},
): BitCache {
  /** The entries by account ID, least recently used first. */
  const entries = new Map<string, Entry>();
  const bytes = () => [...entries.values()].reduce((sum, entry) => sum + entry.bytes, 0);

  /** Returns an account's entry, marking it as most recently used. Sign bits from a different model are dropped. */
  function use(accountId: string, model: string): Entry {
    const known = entries.get(accountId);
    entries.delete(accountId);
    const entry: Entry =
      known?.model === model
        ? known
        : {
            ...{ model, recordings: new Map(), version: 0, rows: 0, bytes: 0 },
            ...{ isTruncated: false, updating: null },
          };
    entries.set(accountId, entry);
    return entry;
  }

  /** Evicts the least recently used accounts until the cache is small enough. */
  function makeSpace(except: Entry): void {
    for (const [accountId, entry] of entries) {
      if (bytes() <= maxBytes) return;
      // Entries that are being read are evicted later.
      if (entry !== except && entry.updating === null) entries.delete(accountId);
    }
  }

  async function update(accountId: string, entry: Entry): Promise<void> {
    const { version, rows } = await readState(db, accountId, entry.model);
    if (version > entry.version) await readChanges(accountId, entry, version);
    const isChanged = rows !== (entry.isTruncated ? entry.rows : entry.recordings.size);
    if (isChanged) await removeErased(db, accountId, entry);
    entry.rows = rows;
  }

  /** Reads the changed recordings, most recently computed first. */
  async function readChanges(accountId: string, entry: Entry, version: number): Promise<void> {
    let before = version + 1;
    for (;;) {
      const page = await db
        .selectFrom('passage_vectors')
        .select(['recording_id', 'task_id', 'version', 'windows', 'bits'])
        .where('account_id', '=', accountId)
        .where('model', '=', entry.model)
        .where('version', '>', entry.version)
        .where('version', '<', before)
        .orderBy('version', 'desc')
        .limit(pageSize)
        .execute();
      for (const row of page) {
        replace(entry, row.recording_id, {
          ...{ recordingId: row.recording_id, taskId: row.task_id ?? '', version: row.version },
          ...{ ordinals: unpackOrdinals(row.windows), bits: wordsFromBytes(row.bits) },
        });
      }
      makeSpace(entry);
      if (bytes() > maxBytes) {
        entry.isTruncated = true;
        dropOldest(entry);
        break;
      }
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) break;
      before = last.version;
    }
    entry.version = version;
  }

  /** Drops an account's earliest computed recordings until the cache is small enough. */
  function dropOldest(entry: Entry): void {
    const oldest = [...entry.recordings.values()].sort((a, b) => a.version - b.version);
    for (const { recordingId } of oldest) {
      if (bytes() <= maxBytes) return;
      replace(entry, recordingId, null);
    }
  }

  return {
    bytes,
    async get(accountId, model) {
      const entry = use(accountId, model);
      entry.updating ??= update(accountId, entry).finally(() => {
        entry.updating = null;
      });
      await entry.updating;
      return [...entry.recordings.values()];
    },
  };
}

/** Replaces the sign bits of a recording, or removes them if null. */
function replace(
  entry: Entry,
  recordingId: string,
  recording: Omit<RecordingBits, 'count'> | null,
): void {
  const countBytes = ({ ordinals, bits }: Pick<RecordingBits, 'ordinals' | 'bits'>) =>
    recordingBytes + ordinals.byteLength + bits.byteLength;
  const previous = entry.recordings.get(recordingId);
  if (previous) entry.bytes -= countBytes(previous);
  if (recording === null) entry.recordings.delete(recordingId);
  else {
    entry.recordings.set(recordingId, { ...recording, count: recording.ordinals.length });
    entry.bytes += countBytes(recording);
  }
}

/** Returns the latest version of an account's vectors, and the number of recordings with vectors of a model. */
async function readState(db: Database, accountId: string, model: string) {
  const { rows } = await sql<{ version: number; rows: number }>`
    select coalesce((select version from vector_revisions where account_id = ${accountId}), 0) as version,
      (select count(*) from passage_vectors where account_id = ${accountId} and model = ${model}) as rows`.execute(
    db,
  );
  return rows[0] ?? { version: 0, rows: 0 };
}

/** Removes recordings that were erased or whose vectors are from a different model. */
async function removeErased(db: Database, accountId: string, entry: Entry): Promise<void> {
  const rows = await db
    .selectFrom('passage_vectors')
    .select('recording_id')
    .where('account_id', '=', accountId)
    .where('model', '=', entry.model)
    .execute();
  const remainingIds = new Set(rows.map(({ recording_id: id }) => id));
  for (const id of entry.recordings.keys()) if (!remainingIds.has(id)) replace(entry, id, null);
}

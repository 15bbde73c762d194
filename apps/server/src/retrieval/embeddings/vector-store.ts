import { sql } from 'kysely';
import type { Database, Transaction } from '../../db/database.ts';
import { packWindows, unpackWindows, type Window } from './windows.ts';

/** A packed vector with its sign bits. */
export interface PackedVector {
  readonly bits: Buffer;
  readonly vector: Buffer;
}

/** The stored vectors of a recording. */
export interface StoredVectors {
  readonly taskId: string | null;
  /** The packed windows, in order. */
  readonly windows: Buffer;
  readonly byDigest: ReadonlyMap<string, PackedVector>;
}

/** A recording whose vectors are missing, outdated, or from a different model. */
export interface PendingRecording {
  readonly recording_id: string;
  readonly account_id: string;
  readonly changed_rev: number;
  /** The version of the stored vectors. */
  readonly version: number;
  readonly failures: number;
}

/**
 * Reads a recording's vectors. Returns null if they were computed by another model, or have changed since `version`.
 */
export async function readVectors(
  db: Database,
  { recording_id, version }: PendingRecording,
  model: string,
): Promise<StoredVectors | null> {
  const row = await db
    .selectFrom('passage_vectors')
    .select(['task_id', 'windows', 'bits', 'vectors'])
    .where('recording_id', '=', recording_id)
    .where('version', '=', version)
    .where('model', '=', model)
    .executeTakeFirst();
  if (row === undefined) return null;
  const windows = unpackWindows(row.windows);
  const part = (bytes: Buffer, index: number) => {
    const size = bytes.length / windows.length;
    return bytes.subarray(index * size, (index + 1) * size);
  };
  const byDigest = windows.map(
    ({ digest }, index) =>
      [digest, { bits: part(row.bits, index), vector: part(row.vectors, index) }] as const,
  );
  return { taskId: row.task_id, windows: row.windows, byDigest: new Map(byDigest) };
}

export interface NewVectors {
  readonly model: string;
  readonly taskId: string | null;
  /** The windows with their vectors, in order. */
  readonly windows: readonly (readonly [window: Window, vector: PackedVector])[];
  /** Whether all of the recording's vectors are included. */
  readonly isComplete: boolean;
  /** Whether the engine couldn't compute a vector. */
  readonly hasFailed: boolean;
}

/** Initial retry delay of a failed recording, in seconds. Doubles with each failure (exponential backoff). */
const retrySeconds = 60;
const maxRetrySeconds = 24 * 3600;
const maxFailures = 20;

/**
 * Stores the vectors of a recording, unless another process has since changed them.
 * @param stored the previously stored vectors
 * @returns the recording with its new version, or null if nothing was stored
 */
export function storeVectors(
  db: Database,
  pending: PendingRecording,
  stored: StoredVectors | null,
  { model, taskId, windows, isComplete, hasFailed }: NewVectors,
): Promise<PendingRecording | null> {
  const packed = packWindows(windows.map(([window]) => window));
  const isSame = stored !== null && stored.taskId === taskId && stored.windows.equals(packed);
  const failures = hasFailed ? Math.min(maxFailures, pending.failures + 1) : 0;
  const seconds = Math.min(maxRetrySeconds, retrySeconds * 2 ** (failures - 1));
  const state = {
    computed_rev: isComplete ? pending.changed_rev : -1,
    failures,
    retry_at: hasFailed ? sql<Date>`now() + ${seconds} * interval '1 second'` : new Date(0),
  };
  return db.transaction().execute(async (trx) => {
    // Lock the recording before its vectors, in the same order as erasure, to prevent deadlocks.
    const recording = await trx
      .selectFrom('recordings')
      .select('id')
      .where('id', '=', pending.recording_id)
      .forKeyShare()
      .executeTakeFirst();
    if (recording === undefined) return null;
    const version = isSame ? pending.version : await nextVersion(trx, pending.account_id);
    if (version === null) return null;
    const { numUpdatedRows } = await trx
      .updateTable('passage_vectors')
      .set(state)
      .$if(!isSame, (query) =>
        query.set({
          ...{ model, task_id: taskId, version, windows: packed },
          bits: Buffer.concat(windows.map(([, { bits }]) => bits)),
          vectors: Buffer.concat(windows.map(([, { vector }]) => vector)),
        }),
      )
      .where('recording_id', '=', pending.recording_id)
      .where('version', '=', pending.version)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 0n ? null : { ...pending, version, failures };
  });
}

/**
 * Returns the next version of an account's vectors, or null if the account was erased. Versions are committed in order,
 * because the update locks the row.
 */
async function nextVersion(trx: Transaction, accountId: string): Promise<number | null> {
  const row = await trx
    .updateTable('vector_revisions')
    .set({ version: sql<number>`version + 1` })
    .where('account_id', '=', accountId)
    .returning('version')
    .executeTakeFirst();
  return row?.version ?? null;
}

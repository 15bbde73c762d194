import type { Logger } from 'pino';
import { digestAudio } from '../../audio/digest.ts';
import type { Database, Row } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';

export interface StoredAudioDependencies {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly now: () => Date;
}

/** The columns that describe a recording's audio in the store. */
type Audio = Pick<
  Row<'recordings'>,
  | 'id'
  | 'account_id'
  | 'object_key'
  | 'file_size'
  | 'sha256'
  | 'audio_sha256'
  | 'client_sha256'
  | 'object_stored_at'
  | 'lost_at'
>;

/**
 * Compares a recording's row with its object in the store, and corrects the row. A missing object is marked as lost and
 * no longer counts as a copy of the audio, until it reappears. An object with different content gets new digests.
 * Phones receive the corrections with their next sync.
 * @returns the corrected row
 */
export async function inspectAudio<Known extends Audio>(
  { db, store, log, now }: StoredAudioDependencies,
  row: Known,
): Promise<Known> {
  const { id, object_key: key } = row;
  if (key === null) return row;
  const object = await store.stat(key);
  if (object === null) {
    if (row.lost_at !== null) return row;
    log.warn({ recording: id }, 'stored audio is missing');
    return correct({ lost_at: now() });
  }
  const isUpToDate =
    row.lost_at === null &&
    row.audio_sha256 !== null &&
    row.file_size === object.size &&
    row.object_stored_at?.getTime() === object.storedAt.getTime();
  if (isUpToDate) return row;
  const { size, sha256, audioSha256 } = await digestAudio(await store.read(key));
  const isReplaced = row.sha256 !== null && row.sha256 !== sha256;
  if (isReplaced) log.warn({ recording: id }, 'stored audio was replaced');
  return correct({
    file_size: size,
    sha256,
    audio_sha256: audioSha256,
    client_sha256: isReplaced ? null : row.client_sha256,
    object_stored_at: object.storedAt,
    lost_at: null,
  });

  /** Writes a correction, unless the recording's object has since been replaced. */
  async function correct(changes: Partial<Audio>): Promise<Known> {
    await db.transaction().execute(async (trx) => {
      const rev = await nextRevision(trx, row.account_id);
      await trx
        .updateTable('recordings')
        .set({ ...changes, rev, updated_at: now() })
        .where('id', '=', id)
        .where('object_key', '=', key)
        .execute();
    });
    return { ...row, ...changes };
  }
}

/** Rows per query. */
const pageSize = 200;

/** The result of an inspection: the number of recordings, and how many of them have lost their audio. */
export interface InspectionCounts {
  readonly inspected: number;
  readonly lost: number;
}

/** Inspects the audio of all recordings that have an object. */
export async function inspectAllAudio(
  deps: StoredAudioDependencies,
  signal: AbortSignal,
): Promise<InspectionCounts> {
  let [inspected, lost] = [0, 0];
  for (let lastId: string | null = null; ; ) {
    const rows: Audio[] = await deps.db
      .selectFrom('recordings')
      .select([
        ...(['id', 'account_id', 'object_key', 'file_size', 'sha256'] as const),
        ...(['audio_sha256', 'client_sha256', 'object_stored_at', 'lost_at'] as const),
      ])
      .where('object_key', 'is not', null)
      .$if(lastId !== null, (query) => query.where('id', '>', lastId ?? ''))
      .orderBy('id')
      .limit(pageSize)
      .execute();
    for (const row of rows) {
      signal.throwIfAborted();
      const { lost_at } = await inspectAudio(deps, row);
      inspected += 1;
      if (lost_at !== null) lost += 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return { inspected, lost };
    lastId = last.id;
  }
}

/** Inspects the recording whose audio is stored under a key, if any. */
export async function inspectKey(deps: StoredAudioDependencies, key: string): Promise<void> {
  const row = await deps.db
    .selectFrom('recordings')
    .selectAll()
    .where('object_key', '=', key)
    .executeTakeFirst();
  if (row) await inspectAudio(deps, row);
}

/** Returns whether a recording's audio is in the store, according to its row. */
export function hasAudio({
  object_key: key,
  lost_at: lost,
}: Pick<Audio, 'object_key' | 'lost_at'>) {
  return key !== null && lost === null;
}

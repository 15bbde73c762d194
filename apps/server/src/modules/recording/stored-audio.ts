import type { Logger } from 'pino';
import { digestAudio } from '../../audio/digest.ts';
import type { Database, Row } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';

export interface StoredAudioParts {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly now: () => Date;
}

/** Columns describing a recording's audio in the store. */
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
 * Compares a recording's row with its object in the store and corrects the row: a missing object is marked as lost and
 * no longer counts as a copy; a restored one counts again; a replaced one gets new digests. Corrections are synced to
 * phones.
 * @returns the corrected row
 */
export async function inspectAudio<Known extends Audio>(
  { db, store, log, now }: StoredAudioParts,
  row: Known,
): Promise<Known> {
  const { id, object_key: key } = row;
  if (key === null) return row;
  const found = await store.stat(key);
  if (found === null) {
    if (row.lost_at !== null) return row;
    log.warn({ recording: id }, 'stored audio is missing');
    return correct({ lost_at: now() });
  }
  const isAsKnown =
    row.lost_at === null &&
    row.audio_sha256 !== null &&
    row.file_size === found.size &&
    row.object_stored_at?.getTime() === found.storedAt.getTime();
  if (isAsKnown) return row;
  const { size, sha256, audioSha256 } = await digestAudio(await store.read(key));
  const isReplaced = row.sha256 !== null && row.sha256 !== sha256;
  if (isReplaced) log.warn({ recording: id }, 'stored audio was replaced');
  return correct({
    file_size: size,
    sha256,
    audio_sha256: audioSha256,
    client_sha256: isReplaced ? null : row.client_sha256,
    object_stored_at: found.storedAt,
    lost_at: null,
  });

  /** Writes the correction, unless the recording's audio has changed since. */
  async function correct(set: Partial<Audio>): Promise<Known> {
    await db.transaction().execute(async (trx) => {
      const rev = await nextRevision(trx, row.account_id);
      await trx
        .updateTable('recordings')
        .set({ ...set, rev, updated_at: now() })
        .where('id', '=', id)
        .where('object_key', '=', key)
        .execute();
    });
    return { ...row, ...set };
  }
}

/** Rows per query. */
const page = 200;

/** Number of recordings inspected, and of those with lost audio. */
export interface Inspected {
  readonly looked: number;
  readonly lost: number;
}

/** Inspects the audio of every recording that has audio. */
export async function inspectAllAudio(
  parts: StoredAudioParts,
  signal: AbortSignal,
): Promise<Inspected> {
  let [looked, lost] = [0, 0];
  for (let after: string | null = null; ; ) {
    const rows: Audio[] = await parts.db
      .selectFrom('recordings')
      .select([
        ...(['id', 'account_id', 'object_key', 'file_size', 'sha256'] as const),
        ...(['audio_sha256', 'client_sha256', 'object_stored_at', 'lost_at'] as const),
      ])
      .where('object_key', 'is not', null)
      .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
      .orderBy('id')
      .limit(page)
      .execute();
    for (const row of rows) {
      signal.throwIfAborted();
      const { lost_at } = await inspectAudio(parts, row);
      looked += 1;
      if (lost_at !== null) lost += 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < page) return { looked, lost };
    after = last.id;
  }
}

/** Inspects the recording whose audio has the given key, if any. */
export async function inspectKey(parts: StoredAudioParts, key: string): Promise<void> {
  const row = await parts.db
    .selectFrom('recordings')
    .selectAll()
    .where('object_key', '=', key)
    .executeTakeFirst();
  if (row) await inspectAudio(parts, row);
}

/** Whether a recording's audio is in the store, according to its row. */
export function hasAudio({
  object_key: key,
  lost_at: lost,
}: Pick<Audio, 'object_key' | 'lost_at'>) {
  return key !== null && lost === null;
}

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

/** A recording's audio, as far as it is known from the store. */
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
 * Compares a recording's row with its object in the store and corrects the row: an object that is gone is
 * marked as lost and counts as no copy; one that came back counts again; one that was replaced gets its own
 * digests. Phones learn of each correction.
 * @returns the row as it is afterwards
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
  if (isReplaced) log.warn({ recording: id }, 'stored audio is not what was registered');
  return correct({
    file_size: size,
    sha256,
    audio_sha256: audioSha256,
    client_sha256: isReplaced ? null : row.client_sha256,
    object_stored_at: found.storedAt,
    lost_at: null,
  });

  /** Writes what was found, unless the recording has other audio by now. */
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

/** Rows of one look at the database. */
const page = 200;

/** How many recordings were looked at, and how many of them have lost their audio. */
export interface Inspected {
  readonly looked: number;
  readonly lost: number;
}

/** Inspects the audio of every recording that has some. */
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

/** Inspects the recording whose audio lies under a key; nothing where there is none. */
export async function inspectKey(parts: StoredAudioParts, key: string): Promise<void> {
  const row = await parts.db
    .selectFrom('recordings')
    .selectAll()
    .where('object_key', '=', key)
    .executeTakeFirst();
  if (row) await inspectAudio(parts, row);
}

/** Whether a recording's audio is in the store, as far as that is known. */
export function hasAudio({
  object_key: key,
  lost_at: lost,
}: Pick<Audio, 'object_key' | 'lost_at'>) {
  return key !== null && lost === null;
}

import type { ChangeStore } from './changes/ports.ts';
import type { AudioStore } from './ports/audio.ts';
import type { RecordStore } from './ports/records.ts';

/** The stores of an account's data on this phone. */
type Stores = {
  readonly records: Pick<RecordStore, 'summaries' | 'binned' | 'deleteAccountData'>;
  readonly changes: Pick<ChangeStore, 'orphanedAudio'>;
  readonly audio: Pick<AudioStore, 'remove'>;
};

/**
 * Deletes a closed account's data from this phone. The audio files go first because a retry needs the rows to find
 * them.
 * @throws AudioStoreError
 */
export async function deleteAccountData(
  { records, changes, audio }: Stores,
  uid: string,
): Promise<void> {
  const rows = [...(await records.summaries(uid)), ...(await records.binned(uid))];
  const ids = [...rows.map(({ id }) => id), ...(await changes.orphanedAudio(uid))];
  for (const id of ids) await audio.remove(id);
  await records.deleteAccountData(uid);
}

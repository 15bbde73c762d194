import type { ChangeStore } from './changes/ports.ts';
import type { AudioStore, RecordStore } from './ports.ts';

/** The stores of an account's data on this phone. */
type Where = {
  readonly records: Pick<RecordStore, 'summaries' | 'binned' | 'forgetOwner'>;
  readonly changes: Pick<ChangeStore, 'leftAudio'>;
  readonly audio: Pick<AudioStore, 'remove'>;
};

/**
 * Deletes the data of a closed account from this phone. Audio goes first: a failed deletion can be repeated as long as
 * the rows name the account.
 * @throws AudioStoreError
 */
export async function forgetOwner({ records, changes, audio }: Where, uid: string): Promise<void> {
  const kept = [...(await records.summaries(uid)), ...(await records.binned(uid))];
  const ids = [...kept.map(({ id }) => id), ...(await changes.leftAudio(uid))];
  for (const id of ids) await audio.remove(id);
  await records.forgetOwner(uid);
}

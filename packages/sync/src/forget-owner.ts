import type { ChangeStore } from './changes/ports.ts';
import type { AudioStore, RecordStore } from './ports.ts';

/** Where what an account has on this phone lies. */
type Where = {
  readonly records: Pick<RecordStore, 'summaries' | 'binned' | 'forgetOwner'>;
  readonly changes: Pick<ChangeStore, 'leftAudio'>;
  readonly audio: Pick<AudioStore, 'remove'>;
};

/**
 * Takes an account that is no more off this phone. Audio goes first: what fails can be done again as long as
 * rows say whose it is.
 * @throws AudioStoreError
 */
export async function forgetOwner({ records, changes, audio }: Where, uid: string): Promise<void> {
  const kept = [...(await records.summaries(uid)), ...(await records.binned(uid))];
  const ids = [...kept.map(({ id }) => id), ...(await changes.leftAudio(uid))];
  for (const id of ids) await audio.remove(id);
  await records.forgetOwner(uid);
}

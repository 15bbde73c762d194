/** Updates the Markdown files in a folder on this device. `device-vault.ts` loads this module on demand. */
import type { VaultFailureCode } from '@linnet/contract/vaults';
import type { PickedVault, VaultStore } from '@linnet/local-db';
import { type Clock, isDel, type RecordStore } from '@linnet/sync';
import { VaultFailure, type VaultFolder } from '@linnet/vault/folder';
import { keepFile, removeFile, updateFile } from '@linnet/vault/update-file';
import i18next from 'i18next';
import { deviceNote, isComplete } from './device-note.ts';

export type NotesOptions = {
  readonly store: VaultStore;
  readonly records: Pick<RecordStore, 'detail'>;
  /** The app's origin. */
  readonly origin: string;
  readonly clock: Pick<Clock, 'now'>;
};

/** Failures that may affect only a single file, so the remaining files are still written. */
const fileFailures: ReadonlySet<VaultFailureCode> = new Set([
  ...(['refused', 'busy', 'denied', 'failed', 'timeout'] as const),
]);
/** Number of consecutive failed files after which the folder counts as failed. */
const maxFailedInRow = 3;

/**
 * Updates the files of recordings that have changed.
 * @param wasAvailable whether the folder was available in the previous pass; if so, it is checked only before a write
 * @param failedAttempts the recordings whose file couldn't be written, keyed by ID, with the change number (`mark`) at
 *   that attempt. They are retried once they change. Updated by this function.
 * @throws VaultFailure if the folder can't be used
 */
export async function writeNotes(
  options: NotesOptions,
  vault: PickedVault,
  folder: VaultFolder,
  wasAvailable: boolean,
  failedAttempts: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const { store } = options;
  const staleNotes = (await store.stale(vault.id)).filter(
    ({ recordId, mark }) => failedAttempts.get(recordId) !== mark,
  );
  if (wasAvailable && staleNotes.length === 0) return;
  // Unlike the server's vault folders, a picked folder is never created.
  await folder.open(false);
  let failedInRow = 0;
  for (const note of staleNotes) {
    if (signal.aborted) return;
    try {
      await updateNote(options, vault, folder, note.recordId);
      await store.settle(vault.id, note);
      failedAttempts.delete(note.recordId);
      failedInRow = 0;
    } catch (error) {
      if (!(error instanceof VaultFailure) || !fileFailures.has(error.code)) throw error;
      const { code } = error;
      await store.states(vault.id).store(note.recordId, { failure: code });
      failedAttempts.set(note.recordId, note.mark);
      if (code !== 'refused') failedInRow += 1;
      // After a timeout, the folder accepts no more writes. The next pass starts with the remaining recordings.
      if (code === 'timeout' || failedInRow >= maxFailedInRow) throw error;
    }
  }
  if (staleNotes.length > 0 || vault.writtenAt === null) {
    await store.setWrittenAt(vault.id, new Date(options.clock.now()).toISOString());
  }
}

async function updateNote(
  { store, records, origin, clock }: NotesOptions,
  { id, uid, template }: PickedVault,
  folder: VaultFolder,
  recordId: string,
): Promise<void> {
  const parts = { states: store.states(id), folder };
  const record = await records.detail(recordId);
  if (!record || record.uid !== uid) {
    await removeFile(parts, recordId, true);
  } else if (record.is_del === isDel.binned) {
    if (record.binned_by) await keepFile(parts, recordId);
    else await removeFile(parts, recordId, false);
  } else if (isComplete(record)) {
    const { t, language } = i18next;
    const options = { t, language, origin, template, now: new Date(clock.now()) };
    await updateFile(parts, recordId, deviceNote(record, options));
  }
}

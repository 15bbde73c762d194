import type { PendingRecord, PendingWork } from '../../ports/pending-work.ts';

/**
 * Returns the pending recordings, and the total including pending edits. Omits recordings that are no longer in the
 * list, because the state may predate a deletion.
 * @param isKnown returns true if a recording is in the list
 */
export function pendingItems(
  { changes, records }: Pick<PendingWork, 'changes' | 'records'>,
  isKnown: (id: string) => boolean,
): { readonly records: readonly PendingRecord[]; readonly total: number } {
  const knownRecords = records.filter(({ id }) => isKnown(id));
  return { records: knownRecords, total: knownRecords.length + changes };
}

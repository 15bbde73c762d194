import type { WaitingRecord, WaitingState } from '../../ports/waiting.ts';

/**
 * Pending recordings, and the total including pending edits. Recordings that are no longer in the list are
 * omitted, since the state may be older than a deletion.
 * @param isKnown whether a recording is in the list
 */
export function pendingItems(
  { changes, records }: Pick<WaitingState, 'changes' | 'records'>,
  isKnown: (id: string) => boolean,
): { readonly records: readonly WaitingRecord[]; readonly total: number } {
  const shown = records.filter(({ id }) => isKnown(id));
  return { records: shown, total: shown.length + changes };
}

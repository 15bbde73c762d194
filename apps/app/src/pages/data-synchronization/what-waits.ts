import type { WaitingRecord, WaitingState } from '../../ports/waiting.ts';

/**
 * The items shown on the page, and their total. Recordings that are no longer in the list are omitted; the
 * state may be older than a deletion.
 * @param isKnown whether the list has a recording
 */
export function whatWaits(
  { changes, records }: Pick<WaitingState, 'changes' | 'records'>,
  isKnown: (id: string) => boolean,
): { readonly records: readonly WaitingRecord[]; readonly things: number } {
  const shown = records.filter(({ id }) => isKnown(id));
  return { records: shown, things: shown.length + changes };
}

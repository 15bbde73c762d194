import type { WaitingRecord, WaitingState } from '../../ports/waiting.ts';

/**
 * What the page shows, and how many things that are. Of recordings only those that it can name: what was read of
 * one a moment before it went to the bin, or for good, is no news any more.
 * @param isKnown whether the list has a recording
 */
export function whatWaits(
  { changes, records }: Pick<WaitingState, 'changes' | 'records'>,
  isKnown: (id: string) => boolean,
): { readonly records: readonly WaitingRecord[]; readonly things: number } {
  const shown = records.filter(({ id }) => isKnown(id));
  return { records: shown, things: shown.length + changes };
}

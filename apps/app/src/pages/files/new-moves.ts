import type { ListedRecord } from './row-state.ts';

/** The recordings that retention rules have moved to the recycle bin since the user last dismissed the notice. */
export type NewMoves = {
  readonly count: number;
  /** The only run that moved them, or null if there were several. */
  readonly run: string | null;
  /** When the latest run started (ISO 8601). */
  readonly latest: string;
};

/**
 * Returns the recordings moved since the notice was last dismissed, or null if no recording was moved.
 * @param noticed when the last run in the dismissed notice started (ISO 8601), or ''
 */
export function newMoves(
  binned: readonly Pick<ListedRecord, 'binned_by'>[],
  noticed: string,
): NewMoves | null {
  const moves = binned.flatMap(({ binned_by: move }) => (move && move.at > noticed ? [move] : []));
  const [first] = moves;
  if (!first) return null;
  const isOnly = moves.every(({ run }) => run === first.run);
  return {
    count: moves.length,
    run: isOnly ? first.run : null,
    latest: moves.reduce((latest, { at }) => (at > latest ? at : latest), first.at),
  };
}

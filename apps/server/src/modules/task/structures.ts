import type { StructureId } from '@linnet/contract/structures';
import { defaultStructure } from '@linnet/contract/structures';
import type { TranscriptAnalyzer } from '../../providers/analysis/port.ts';

/** Options that determine which structures a summary includes. */
export interface StructureOptions {
  /** Whether the account has a membership, which includes all structures. */
  readonly isMember: boolean;
  /** The requested structure. */
  readonly requested?: StructureId;
  /** Structures in the current summary, which a regenerated summary keeps. */
  readonly existing?: readonly StructureId[];
}

/**
 * Returns the structures to generate, starting with the requested structure. A language model generates only the
 * requested and the default structure, because each structure adds to the cost.
 */
export function structuresFor(
  { kind, structures }: Pick<TranscriptAnalyzer, 'kind' | 'structures'>,
  { isMember, requested = defaultStructure, existing = [] }: StructureOptions,
): StructureId[] {
  const additional = structures.filter(
    (structure) => structure !== 'custom' && (isMember || existing.includes(structure)),
  );
  return [
    ...new Set<StructureId>([
      requested,
      defaultStructure,
      ...(kind === 'extractive' ? additional : []),
    ]),
  ];
}

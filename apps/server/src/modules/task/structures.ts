import type { StructureId } from '@linnet/contract/structures';
import { defaultStructure } from '@linnet/contract/structures';
import type { TranscriptAnalyzer } from '../../providers/analysis/port.ts';

/** Options that determine which structures a summary contains. */
export interface StructureOptions {
  /** Whether the account has a membership, which includes all structures. */
  readonly isMember: boolean;
  /** The requested structure. */
  readonly requested?: StructureId;
  /** The current summary's structures, which a regenerated summary keeps. */
  readonly existing?: readonly StructureId[];
}

/**
 * Returns the structures to generate, starting with the requested one. A language model generates only the requested
 * and the default structure, since every structure adds to its cost.
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

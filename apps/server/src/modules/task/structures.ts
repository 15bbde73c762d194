import type { StructureId } from '@linnet/contract/structures';
import { defaultStructure } from '@linnet/contract/structures';
import type { TranscriptAnalyzer } from '../../providers/analysis/port.ts';

/** Determines which structures a summary contains. */
export interface StructureWishes {
  /** Whether the account has a membership, which includes every structure. */
  readonly member: boolean;
  /** The requested structure. */
  readonly asked?: StructureId;
  /** Structures of the current summary, which a regenerated one keeps. */
  readonly made?: readonly StructureId[];
}

/** The structures to generate, requested one first. No others are generated, since each adds to the model's cost. */
export function structuresFor(
  { kind, structures }: Pick<TranscriptAnalyzer, 'kind' | 'structures'>,
  { member, asked = defaultStructure, made = [] }: StructureWishes,
): StructureId[] {
  const free = structures.filter(
    (structure) => structure !== 'custom' && (member || made.includes(structure)),
  );
  return [
    ...new Set<StructureId>([asked, defaultStructure, ...(kind === 'extractive' ? free : [])]),
  ];
}

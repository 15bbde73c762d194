import type { StructureId } from '@linnet/contract/structures';
import { defaultStructure } from '@linnet/contract/structures';
import type { TranscriptAnalyser } from '../../providers/analysis/port.ts';

/** What decides which structures of a summary are made. */
export interface StructureWishes {
  /** Whether the account has membership, with which every structure comes. */
  readonly member: boolean;
  /** What its owner asked for. */
  readonly asked?: StructureId;
  /** What the present summary has: a summary made again has no less. */
  readonly made?: readonly StructureId[];
}

/** The structures to make, what was asked for first. A language model costs by the structure: it makes no other. */
export function structuresFor(
  { kind, structures }: Pick<TranscriptAnalyser, 'kind' | 'structures'>,
  { member, asked = defaultStructure, made = [] }: StructureWishes,
): StructureId[] {
  const free = structures.filter(
    (structure) => structure !== 'custom' && (member || made.includes(structure)),
  );
  return [
    ...new Set<StructureId>([asked, defaultStructure, ...(kind === 'extractive' ? free : [])]),
  ];
}

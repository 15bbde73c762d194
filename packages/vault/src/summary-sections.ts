import type { SummaryDocument } from '@linnet/contract';

export interface SummaryPoint {
  readonly text: string;
  /** Position in the recording in seconds; null if unknown. */
  readonly start_time: number | null;
}

export interface SummarySection {
  /** A name of `structureHeadings`, or the owner's own text in a custom structure. */
  readonly heading: string;
  readonly items: readonly SummaryPoint[];
}

/**
 * Returns a summary in its latest structure, without the to-dos, which are a part of their own. A structure that the
 * owner wrote is returned as it is. A summary without a document has one point per line.
 */
export function summarySections(
  { document, summary }: { readonly document: SummaryDocument | null; readonly summary: string },
  brief: string,
): readonly SummarySection[] {
  if (document) {
    const sections = document.structures[document.structure]?.sections ?? [];
    const isOwn = document.structure === 'custom';
    return sections.filter(
      ({ heading, items }) => items.length > 0 && (isOwn || heading !== 'todos'),
    );
  }
  const items = summary
    .split('\n')
    .map((line) => line.replace(/^[-•*]\s+/, '').trim())
    .filter((line) => line !== '' && line !== brief)
    .map((line) => ({ text: line, start_time: null }));
  return items.length > 0 ? [{ heading: 'overview', items }] : [];
}

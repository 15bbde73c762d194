import type { SummaryDocument } from '@linnet/contract';

export interface SummaryPoint {
  readonly text: string;
  /** Position in the recording in seconds; null if unknown. */
  readonly start_time: number | null;
}

export interface SummarySection {
  /** A key of `structureHeadings`, or the user's text in a custom structure. */
  readonly heading: string;
  readonly items: readonly SummaryPoint[];
}

/**
 * Returns the nonempty sections of a summary in its latest structure. Excludes to-dos, which a note lists separately,
 * unless the structure is custom. A summary without a document becomes one section with a point per line.
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

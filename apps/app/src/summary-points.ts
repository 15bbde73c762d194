import type { SummaryDocument } from '@linnet/contract';
import { defaultStructure, type StructureId } from '@linnet/contract/structures';
import type { LocalRecord } from '@linnet/sync';

/** A sentence of the summary; `time` in seconds where it was said, null where that is not known. */
export type SummaryPoint = {
  readonly key: string;
  readonly text: string;
  readonly time: number | null;
  /** The paragraph in which it was said; null where that is not known. */
  readonly paragraph: string | null;
};

/** Points under one heading: a key of the app's words, or what its owner called it. */
export type SummarySection = {
  readonly key: string;
  readonly heading: string;
  readonly points: readonly SummaryPoint[];
};

/** The summary document, or null where there is none that this version reads. */
export function summaryDocument(json: string | null): SummaryDocument | null {
  if (json === null) return null;
  const document = JSON.parse(json) as Partial<SummaryDocument> | null;
  if (document?.version !== 1 || !document.structures) return null;
  return { ...oldest, ...document } as SummaryDocument;
}

/** What documents may leave unsaid that were made while there was one kind and one structure, and no lists. */
const oldest = {
  ...{ kind: 'extractive', language: '', structure: defaultStructure },
  ...{ todos: [], knowledge_points: [], needs: [], questions: [], finance: [] },
  ...{ timeline: [], topics: [], looked_for: [] },
} as const;

/** What the summary says under each heading, with where it was said if the document knows. */
export function summarySections(
  record: Pick<LocalRecord, 'summary' | 'brief'>,
  document: SummaryDocument | null,
  structure: StructureId,
): SummarySection[] {
  const made = document?.structures[structure];
  if (made) {
    return made.sections
      .filter(({ items }) => items.length > 0)
      .map(({ heading, items }, index) => ({
        // Owners may call two of theirs the same.
        ...{ key: `${index} ${heading}`, heading },
        points: items.map((item) => ({
          ...{ key: item.id, text: item.text },
          ...{ time: item.start_time, paragraph: item.paragraph_id },
        })),
      }));
  }
  if (document) return [];
  // A summary from before there were documents: one line each.
  const points = record.summary
    .split('\n')
    .map((line) => line.replace(/^[-•*]\s+/, '').trim())
    .filter((line) => line !== '' && line !== record.brief)
    .map((text, index) => ({ key: `${index} ${text}`, text, time: null, paragraph: null }));
  return points.length > 0 ? [{ key: 'overview', heading: 'overview', points }] : [];
}

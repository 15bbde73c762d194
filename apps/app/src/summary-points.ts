import type { SummaryDocument } from '@linnet/contract';
import { defaultStructure, type StructureId } from '@linnet/contract/structures';
import type { LocalRecord } from '@linnet/sync';

/** A sentence in the summary. */
export type SummaryPoint = {
  readonly key: string;
  readonly text: string;
  /** The time of its source in seconds; null if unknown. */
  readonly time: number | null;
  /** The source paragraph; null if unknown. */
  readonly paragraph: string | null;
};

/** The points under a heading. */
export type SummarySection = {
  readonly key: string;
  /** A translation key, or the user's own text in a custom summary. */
  readonly heading: string;
  readonly points: readonly SummaryPoint[];
};

/**
 * Parses the summary document.
 * @returns null if the record has none or its version is unknown
 */
export function summaryDocument(json: string | null): SummaryDocument | null {
  if (json === null) return null;
  const document = JSON.parse(json) as Partial<SummaryDocument> | null;
  if (document?.version !== 1 || !document.structures) return null;
  // The texts already have the current names of the speakers.
  const { speaker_references: _, ...content } = document;
  return { ...fieldDefaults, ...content } as SummaryDocument;
}

/** Defaults for fields that are missing from documents of earlier app versions. */
const fieldDefaults = {
  kind: 'extractive',
  language: '',
  structure: defaultStructure,
  todos: [],
  knowledge_points: [],
  needs: [],
  questions: [],
  finance: [],
  timeline: [],
  topics: [],
  looked_for: [],
} as const;

/** Returns the summary's points under each heading, with their sources if the document has them. */
export function summarySections(
  record: Pick<LocalRecord, 'summary' | 'brief'>,
  document: SummaryDocument | null,
  structure: StructureId,
): SummarySection[] {
  const selected = document?.structures[structure];
  if (selected) {
    return selected.sections
      .filter(({ items }) => items.length > 0)
      .map(({ heading, items }, index) => ({
        // The index makes the key unique, because two custom sections may have the same heading.
        key: `${index} ${heading}`,
        heading,
        points: items.map((item) => ({
          key: item.id,
          text: item.text,
          time: item.start_time,
          paragraph: item.paragraph_id,
        })),
      }));
  }
  if (document) return [];
  // Summaries from earlier app versions are plain text with one point per line.
  const points = record.summary
    .split('\n')
    .map((line) => line.replace(/^[-•*]\s+/, '').trim())
    .filter((line) => line !== '' && line !== record.brief)
    .map((text, index) => ({ key: `${index} ${text}`, text, time: null, paragraph: null }));
  return points.length > 0 ? [{ key: 'overview', heading: 'overview', points }] : [];
}

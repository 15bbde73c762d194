import type { OpenRecord } from './open-record.ts';

/** A sentence of the summary; `time` in seconds where it was said, null where that is not known. */
export type SummaryPoint = {
  readonly key: string;
  readonly text: string;
  readonly time: number | null;
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The points of the general structure in the summary document, or none if it is of another kind. */
function pointsOfDocument(json: string): SummaryPoint[] {
  const document: unknown = JSON.parse(json);
  if (!isObject(document) || document.version !== 1 || !isObject(document.structures)) return [];
  const general = document.structures.general;
  if (!isObject(general)) return [];
  return list(general.sections)
    .flatMap((section) => (isObject(section) ? list(section.items) : []))
    .flatMap((item, index): SummaryPoint[] =>
      isObject(item) && typeof item.text === 'string'
        ? [
            {
              key: typeof item.id === 'string' ? item.id : String(index),
              text: item.text,
              time: typeof item.start_time === 'number' ? item.start_time : null,
            },
          ]
        : [],
    );
}

/** What the summary says, point by point, with where it was said if the document knows. */
export function summaryPoints(
  record: Pick<OpenRecord, 'summary' | 'summary_json' | 'brief'>,
): SummaryPoint[] {
  const fromDocument = record.summary_json ? pointsOfDocument(record.summary_json) : [];
  if (fromDocument.length > 0) return fromDocument;
  return record.summary
    .split('\n')
    .map((line) => line.replace(/^[-•*]\s+/, '').trim())
    .filter((line) => line !== '' && line !== record.brief)
    .map((text, index) => ({ key: `${index} ${text}`, text, time: null }));
}

/** Creates the references to the speakers named in a summary. */
import type { SpeakerReferences, SummaryDocument } from '../calls.ts';
import { callLabels, defaultSpeakerName } from '../speaker-names.ts';
import { findNames } from './find-names.ts';

/** The texts generated from a transcript. */
export interface SummaryTexts {
  readonly title: string;
  readonly brief: string;
  /** One sentence or point per line. */
  readonly summary: string;
  readonly keywords: readonly string[];
  readonly document: SummaryDocument | null;
}

/** A piece of text in a summary. */
export interface PlacedText {
  /**
   * Identifies the text within the summary by position. Independent of the content, so it's stable when names change.
   */
  readonly place: string;
  readonly text: string;
  readonly paragraph_id: string | null;
  /** True for keywords and assignees, whose text is usually just a name. */
  readonly isWholeName: boolean;
}

/**
 * Returns the speaker that a name in the text refers to, or null if the name may refer to someone else, or may be a
 * quote from the recording.
 */
export type ResolveSpeaker = (name: string, text: PlacedText) => string | null;

/**
 * True for default names that are ordinary words, such as "Me". Such names are matched only in texts that consist of
 * nothing else.
 */
export const isOrdinaryWord = (name: string, language: string) =>
  callLabels.some((label) => defaultSpeakerName(label, language) === name);

/** Returns the parts of a summary that may name speakers. */
function placedTexts({ title, brief, summary, keywords, document }: SummaryTexts): PlacedText[] {
  const items = collectItems(document);
  const points = document?.structures.general?.sections.flatMap((section) => section.items) ?? [];
  // A line of the summary usually equals the item at the same position in the general structure.
  const findItem = (line: string, index: number) =>
    [points[index], ...items].find((item) => item?.text === line);
  const noParagraph = { paragraph_id: null, isWholeName: false };
  return [
    { place: 'title', text: title, ...noParagraph },
    { place: 'brief', text: brief, ...noParagraph },
    ...summary.split('\n').map((text, index): PlacedText => {
      const paragraph_id = findItem(text, index)?.paragraph_id ?? null;
      return { place: linePlace(index), text, paragraph_id, isWholeName: false };
    }),
    ...keywords.map((text, index): PlacedText => {
      return { place: keywordPlace(index), text, paragraph_id: null, isWholeName: true };
    }),
    ...items.flatMap(({ place, text, who, paragraph_id }): PlacedText[] => [
      { place: textPlace(place), text, paragraph_id, isWholeName: false },
      ...(who ? [{ place: assigneePlace(place), text: who, paragraph_id, isWholeName: true }] : []),
    ]),
  ];
}

export const linePlace = (index: number) => `summary/${index}`;
export const keywordPlace = (index: number) => `keywords/${index}`;
export const textPlace = (item: string) => `${item}/text`;
export const assigneePlace = (item: string) => `${item}/who`;

/** An item of a summary. Older documents lack some lists, so items are found by their shape. */
export interface PlacedItem {
  readonly id?: string;
  readonly text: string;
  readonly paragraph_id: string;
  readonly who?: string | null;
}

/** Returns the items in all of a document's lists and structures. `place` is an item's path, such as `todos/0`. */
export function collectItems(document: SummaryDocument | null): (PlacedItem & { place: string })[] {
  const items: (PlacedItem & { place: string })[] = [];
  mapItems(document, (item, place) => {
    items.push({ ...item, place });
    return item;
  });
  return items;
}

/** Returns a copy of a document with every item replaced by the result of `transform`. */
export function mapItems(
  value: unknown,
  transform: (item: PlacedItem, place: string) => PlacedItem,
  place = '',
): unknown {
  const pathTo = (key: string | number) => (place === '' ? `${key}` : `${place}/${key}`);
  if (Array.isArray(value)) {
    return value.map((inner, index) => mapItems(inner, transform, pathTo(index)));
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isItem(value)) return transform(value, place);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapItems(inner, transform, pathTo(key))]),
  );
}

function isItem(value: object): value is PlacedItem {
  const { text, paragraph_id } = value as Partial<Record<keyof PlacedItem, unknown>>;
  return typeof text === 'string' && typeof paragraph_id === 'string';
}

/** Splits a summary's texts at the names that refer to speakers. Texts without such names are omitted. */
export function divideTexts(
  texts: SummaryTexts,
  names: readonly string[],
  resolveSpeaker: ResolveSpeaker,
): SpeakerReferences['texts'] {
  const language = texts.document?.language ?? '';
  const divided: SpeakerReferences['texts'] = [];
  for (const [first, ...duplicates] of groupEqual(placedTexts(texts))) {
    const { text, paragraph_id } = first;
    const parts: SpeakerReferences['texts'][number]['parts'] = [];
    let lastEnd = 0;
    for (const { name, start, end } of findNamesIn(first, names, language)) {
      const speaker = resolveSpeaker(name, first);
      if (speaker === null) continue;
      if (start > lastEnd) parts.push(text.slice(lastEnd, start));
      parts.push({ speaker, name });
      lastEnd = end;
    }
    if (parts.length === 0) continue;
    if (lastEnd < text.length) parts.push(text.slice(lastEnd));
    const places = [first, ...duplicates].map(({ place }) => place);
    divided.push({ ...(paragraph_id !== null && { paragraph_id }), places, parts });
  }
  return divided;
}

/** Groups identical texts based on the same paragraph. Their names refer to the same speakers. */
function groupEqual(texts: readonly PlacedText[]): [PlacedText, ...PlacedText[]][] {
  const groups = new Map<string, [PlacedText, ...PlacedText[]]>();
  for (const text of texts) {
    const key = JSON.stringify([text.isWholeName, text.paragraph_id, text.text]);
    const group = groups.get(key);
    if (group) group.push(text);
    else groups.set(key, [text]);
  }
  return [...groups.values()];
}

function findNamesIn(
  { text, isWholeName }: PlacedText,
  names: readonly string[],
  language: string,
) {
  if (isWholeName && names.includes(text)) return [{ name: text, start: 0, end: text.length }];
  return findNames(
    text,
    names.filter((name) => !isOrdinaryWord(name, language)),
  );
}

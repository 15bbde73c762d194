/** Creates the references to speakers that a summary's texts contain. */
import type { SpeakerReferences, SummaryDocument } from '../calls.ts';
import { callLabels, defaultSpeakerName } from '../speaker-names.ts';
import { findNames } from './find-names.ts';

/** The texts that are created from a transcript. */
export interface SummaryTexts {
  readonly title: string;
  readonly brief: string;
  /** One sentence or point per line. */
  readonly summary: string;
  readonly keywords: readonly string[];
  readonly document: SummaryDocument | null;
}

/** A text of a summary. If a `whole` text names a speaker, it usually consists of the name. */
export interface PlacedText {
  /** Identifies the text within the summary. Doesn't depend on what the texts say, so it stays when names change. */
  readonly place: string;
  readonly text: string;
  readonly paragraph_id: string | null;
  readonly whole: boolean;
}

/**
 * Returns the speaker that a name in a text refers to, or null if the name may have been spoken, or may be the name of
 * another person.
 */
export type Attribute = (name: string, place: PlacedText) => string | null;

/** Names that are ordinary words, so they are found only where nothing but a name is expected. */
export const isOrdinaryWord = (name: string, language: string) =>
  callLabels.some((label) => defaultSpeakerName(label, language) === name);

/** Returns a summary's texts that may name speakers. */
function placedTexts({ title, brief, summary, keywords, document }: SummaryTexts): PlacedText[] {
  const items = itemsOf(document);
  const points = document?.structures.general?.sections.flatMap((section) => section.items) ?? [];
  // A line is usually the point at the same position.
  const itemOf = (line: string, index: number) =>
    [points[index], ...items].find((item) => item?.text === line);
  const unplaced = { paragraph_id: null, whole: false };
  return [
    { place: 'title', text: title, ...unplaced },
    { place: 'brief', text: brief, ...unplaced },
    ...summary.split('\n').map((text, index): PlacedText => {
      const paragraph_id = itemOf(text, index)?.paragraph_id ?? null;
      return { place: linePlace(index), text, paragraph_id, whole: false };
    }),
    ...keywords.map((text, index): PlacedText => {
      return { place: keywordPlace(index), text, paragraph_id: null, whole: true };
    }),
    ...items.flatMap(({ place, text, who, paragraph_id }): PlacedText[] => [
      { place: textPlace(place), text, paragraph_id, whole: false },
      ...(who ? [{ place: whoPlace(place), text: who, paragraph_id, whole: true }] : []),
    ]),
  ];
}

export const linePlace = (index: number) => `summary/${index}`;
export const keywordPlace = (index: number) => `keywords/${index}`;
export const textPlace = (item: string) => `${item}/text`;
export const whoPlace = (item: string) => `${item}/who`;

/** A summary's item. Documents of earlier versions lack some lists, so items are found by their shape. */
export interface PlacedItem {
  readonly id?: string;
  readonly text: string;
  readonly paragraph_id: string;
  readonly who?: string | null;
}

/** Returns a document's items in all lists and structures, each with its place: its path, such as `todos/0`. */
export function itemsOf(document: SummaryDocument | null): (PlacedItem & { place: string })[] {
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

/** Divides a summary's texts at the names that refer to speakers. Texts without such names are omitted. */
export function divideTexts(
  texts: SummaryTexts,
  names: readonly string[],
  attribute: Attribute,
): SpeakerReferences['texts'] {
  const language = texts.document?.language ?? '';
  const divided: SpeakerReferences['texts'] = [];
  for (const [place, ...others] of groupEqual(placedTexts(texts))) {
    const { text, paragraph_id } = place;
    const parts: SpeakerReferences['texts'][number]['parts'] = [];
    let rest = 0;
    for (const { name, start, end } of findNamesIn(place, names, language)) {
      const speaker = attribute(name, place);
      if (speaker === null) continue;
      if (start > rest) parts.push(text.slice(rest, start));
      parts.push({ speaker, name });
      rest = end;
    }
    if (parts.length === 0) continue;
    if (rest < text.length) parts.push(text.slice(rest));
    const places = [place, ...others].map((each) => each.place);
    divided.push({ ...(paragraph_id !== null && { paragraph_id }), places, parts });
  }
  return divided;
}

/** Groups texts whose names are the same and refer to the same speakers. */
function groupEqual(places: readonly PlacedText[]): [PlacedText, ...PlacedText[]][] {
  const groups = new Map<string, [PlacedText, ...PlacedText[]]>();
  for (const place of places) {
    const key = JSON.stringify([place.whole, place.paragraph_id, place.text]);
    const group = groups.get(key);
    if (group) group.push(place);
    else groups.set(key, [place]);
  }
  return [...groups.values()];
}

function findNamesIn({ text, whole }: PlacedText, names: readonly string[], language: string) {
  if (whole && names.includes(text)) return [{ name: text, start: 0, end: text.length }];
  return findNames(
    text,
    names.filter((name) => !isOrdinaryWord(name, language)),
  );
}

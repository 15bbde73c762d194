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
  readonly text: string;
  readonly paragraph_id: string | null;
  readonly whole: boolean;
}

/**
 * Returns the speaker that a name in a text refers to, or null if the name may have been spoken, or may be the name of
 * somebody else.
 */
export type Attribute = (name: string, place: PlacedText) => string | null;

/** Names that are ordinary words, so they are found only where nothing but a name is expected. */
export const isOrdinaryWord = (name: string, language: string) =>
  callLabels.some((label) => defaultSpeakerName(label, language) === name);

/** Returns a summary's texts that may name speakers. Those that stand in several places are returned once. */
function placedTexts({ title, brief, summary, keywords, document }: SummaryTexts) {
  const unplaced = [title, brief, ...summary.split('\n')];
  const places = [
    ...unplaced.map((text): PlacedText => ({ text, paragraph_id: null, whole: false })),
    ...keywords.map((text): PlacedText => ({ text, paragraph_id: null, whole: true })),
    ...itemsOf(document).flatMap(({ text, who, paragraph_id }): PlacedText[] => [
      { text, paragraph_id, whole: false },
      ...(who ? [{ text: who, paragraph_id, whole: true }] : []),
    ]),
  ];
  return new Map(places.map((place) => [placeKey(place), place])).values();
}

/** Identifies a text by its paragraph and contents. */
export const placeKey = ({ text, paragraph_id }: Pick<PlacedText, 'text' | 'paragraph_id'>) =>
  `${paragraph_id ?? ''}\n${text}`;

/** A summary's item. Documents of earlier versions lack some lists, so items are found by their shape. */
export interface PlacedItem {
  readonly text: string;
  readonly paragraph_id: string;
  readonly who?: string | null;
}

/** Returns a document's items in all lists and structures. */
export function itemsOf(document: SummaryDocument | null): PlacedItem[] {
  const items: PlacedItem[] = [];
  mapItems(document, (item) => {
    items.push(item);
    return item;
  });
  return items;
}

/** Returns a copy of a document with every item replaced by the result of `transform`. */
export function mapItems(value: unknown, transform: (item: PlacedItem) => PlacedItem): unknown {
  if (Array.isArray(value)) return value.map((inner) => mapItems(inner, transform));
  if (typeof value !== 'object' || value === null) return value;
  if (isItem(value)) return transform(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapItems(inner, transform)]),
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
  for (const place of placedTexts(texts)) {
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
    divided.push({ ...(paragraph_id !== null && { paragraph_id }), parts });
  }
  return divided;
}

function findNamesIn({ text, whole }: PlacedText, names: readonly string[], language: string) {
  if (whole && names.includes(text)) return [{ name: text, start: 0, end: text.length }];
  return findNames(
    text,
    names.filter((name) => !isOrdinaryWord(name, language)),
  );
}

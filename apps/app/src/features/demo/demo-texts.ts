/** Translations of the demo's transcript, title, summary, to-dos, keywords and mind map. The audio is in English. */
import { joinSentences } from '../../i18n/joined.ts';
import demo from './demo.json';

/** English texts of the demo with their translations. */
export type DemoTexts = Readonly<Record<string, string>>;

const files = import.meta.glob<DemoTexts>('./texts/*.json', { import: 'default' });

/** Loads the texts of the demo in an interface language. Returns none for English. */
export async function loadDemoTexts(language: string): Promise<DemoTexts> {
  return (await files[`./texts/${language}.json`]?.()) ?? {};
}

/** Replaces the texts of a value that have a translation. Ids and names of headings have none. */
function translateAll<T>(value: T, texts: DemoTexts): T;
function translateAll(value: unknown, texts: DemoTexts): unknown {
  if (typeof value === 'string') return texts[value] ?? value;
  if (Array.isArray(value)) return value.map((item) => translateAll(item, texts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, translateAll(item, texts)]),
  );
}

/**
 * Returns the demo recording with its texts in an interface language, unchanged if there are no translations.
 * Translated paragraphs have no words, because the times are those of the English words.
 */
export function translateDemo(texts: DemoTexts, language: string): typeof demo {
  if (Object.keys(texts).length === 0) return demo;
  const { title, ai_title, brief, summary, keywords, document, mind_map, markers } = demo;
  const translateSentences = (text: string) =>
    joinSentences(translateAll(text.split(/(?<=[.?]) /), texts), language);
  return {
    ...demo,
    ...translateAll({ title, ai_title, keywords, mind_map, markers }, texts),
    document: { ...translateAll(document, texts), language },
    brief: translateSentences(brief),
    summary: translateAll(summary.split('\n'), texts).join('\n'),
    paragraphs: demo.paragraphs.map((paragraph) => ({
      ...paragraph,
      content: translateSentences(paragraph.content),
      words: [],
    })),
  };
}

/** Translations of the demo's transcript, title, summary, to-dos, keywords and mind map. The audio is in English. */
import { joinSentences } from '../../i18n/joined.ts';
import demo from './demo.json';

/** Translations of the demo's strings, keyed by the English string. */
export type DemoTexts = Readonly<Record<string, string>>;

const files = import.meta.glob<DemoTexts>('./texts/*.json', { import: 'default' });

/** Loads the demo's translations for an interface language. There are none for English. */
export async function loadDemoTexts(language: string): Promise<DemoTexts> {
  return (await files[`./texts/${language}.json`]?.()) ?? {};
}

/** Replaces every string in a value that has a translation. Ids and heading names have none. */
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
 * Returns the demo recording translated into an interface language, or unchanged if there are no translations.
 * Translated paragraphs have no words, because the word timestamps belong to the English audio.
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

import { interfaceLanguages } from '@linnet/contract/interface-languages';
import { describe, expect, it } from 'vitest';
import demo from './demo.json';
import { loadDemoTexts, translateDemo } from './demo-texts.ts';

const languages = interfaceLanguages.map(({ language }) => language);
const shownKeys = ['text', 'topic', 'title', 'label', 'content', 'when', 'purpose'];
/** The transcript's sentences, which the brief and the summary quote. */
const sentences = demo.paragraphs.flatMap(({ content }) => content.split(/(?<=[.?]) /));

/** Returns everything that the demo shows except speaker names. */
function shownTexts({
  title,
  ai_title,
  brief,
  summary,
  keywords,
  document,
  mind_map,
  markers,
  paragraphs,
}: typeof demo) {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      if (shownKeys.includes(key) && typeof item === 'string') texts.push(item);
      else collect(item);
    }
  };
  collect([document, mind_map, markers, paragraphs]);
  return [title, ai_title, brief, ...summary.split('\n'), ...keywords, ...texts];
}

/** A field of the summary document or the mind map, if it has a source. */
type Item = {
  readonly text?: string;
  readonly topic?: string;
  readonly paragraph_id?: string;
  readonly when?: string | null;
  readonly purpose?: string | null;
};

/**
 * Returns the items that quote a paragraph, with the phrases taken from it. Topics have headings instead of quotations.
 */
function quotations({ document, mind_map }: typeof demo) {
  const found: { text: string; paragraph: string; phrases: string[] }[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ((value as { heading?: string }).heading === 'topics') return;
    const { text, topic, paragraph_id: paragraph, when, purpose } = value as Item;
    const quotation = text ?? topic;
    if (quotation !== undefined && paragraph !== undefined) {
      const phrases = [when, purpose].filter((phrase) => typeof phrase === 'string');
      found.push({ text: quotation, paragraph, phrases });
    }
    for (const item of Object.values(value)) collect(item);
  };
  collect({ ...document, topics: [] });
  collect(mind_map.filter(({ id }) => !id.startsWith('item-topics-')));
  return found;
}

it('the English demo is unchanged', async () => {
  expect(translateDemo(await loadDemoTexts('en'), 'en')).toEqual(demo);
});

it('a language without translations uses the English demo', async () => {
  expect(translateDemo(await loadDemoTexts('en-XA'), 'en-XA')).toEqual(demo);
});

describe.each(languages)('quotations in %s', (language) => {
  it('occur in their paragraphs, and contain their dates and purposes', async () => {
    const translated = translateDemo(await loadDemoTexts(language), language);
    const contents = new Map(translated.paragraphs.map(({ id, content }) => [id, content]));
    const quoted = quotations(translated);
    expect(quoted.length).toBeGreaterThan(40);
    const faults = quoted.filter(({ text, paragraph, phrases }) => {
      const lowerCased = text.toLocaleLowerCase(language);
      return (
        !contents.get(paragraph)?.includes(text) ||
        !phrases.every((phrase) => lowerCased.includes(phrase.toLocaleLowerCase(language)))
      );
    });
    expect(faults).toEqual([]);
  });
});

describe.each(languages.filter((language) => language !== 'en'))('%s', (language) => {
  it('translates everything', async () => {
    const translated = translateDemo(await loadDemoTexts(language), language);
    const english = shownTexts(demo);
    const texts = shownTexts(translated);
    expect(texts).toHaveLength(english.length);
    expect(texts.filter((text, index) => text === '' || text === english[index])).toEqual([]);
    expect(translated.document.language).toBe(language);
  });

  it('translates every sentence of the transcript, which has no word timestamps', async () => {
    const texts = await loadDemoTexts(language);
    expect(sentences.filter((sentence) => !texts[sentence])).toEqual([]);
    const { paragraphs } = translateDemo(texts, language);
    for (const [index, { content, ...paragraph }] of paragraphs.entries()) {
      expect(paragraph).toEqual({ ...demo.paragraphs[index], content: undefined, words: [] });
      expect(content).not.toMatch(/[.?!。？؟]{2}/);
    }
  });

  it('has only texts that the demo contains', async () => {
    const contained = [...shownTexts(demo), ...sentences];
    const unused = Object.keys(await loadDemoTexts(language)).filter(
      (text) => !contained.includes(text),
    );
    expect(unused).toEqual([]);
  });
});

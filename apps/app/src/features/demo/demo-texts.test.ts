import { interfaceLanguages } from '@linnet/contract/interface-languages';
import { describe, expect, it } from 'vitest';
import demo from './demo.json';
import { loadDemoTexts, translateDemo } from './demo-texts.ts';

/** Returns everything that the demo shows besides its transcript. */
function shownTexts({
  title,
  ai_title,
  brief,
  summary,
  keywords,
  document,
  mind_map,
  markers,
}: typeof demo) {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      if (['text', 'topic', 'title', 'label'].includes(key) && typeof item === 'string')
        texts.push(item);
      else collect(item);
    }
  };
  collect([document, mind_map, markers]);
  return [title, ai_title, brief, ...summary.split('\n'), ...keywords, ...texts];
}

it('the English demo is unchanged', async () => {
  expect(translateDemo(await loadDemoTexts('en'), 'en')).toEqual(demo);
});

describe.each(
  interfaceLanguages.map(({ language }) => language).filter((language) => language !== 'en'),
)('%s', (language) => {
  it('translates everything but the transcript', async () => {
    const translated = translateDemo(await loadDemoTexts(language), language);
    const english = shownTexts(demo);
    const texts = shownTexts(translated);
    expect(texts).toHaveLength(english.length);
    expect(texts.filter((text, index) => text === '' || text === english[index])).toEqual([]);
    expect(translated.paragraphs).toEqual(demo.paragraphs);
  });

  it('has no text that the demo does not contain', async () => {
    const sentences = [...shownTexts(demo), ...demo.brief.split(/(?<=\.) /)];
    const unused = Object.keys(await loadDemoTexts(language)).filter(
      (text) => !sentences.includes(text),
    );
    expect(unused).toEqual([]);
  });
});

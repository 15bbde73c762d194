import { expect, test } from 'vitest';
import { createParagraphReader } from './paragraphs.ts';

const row = (id: string, content: string, words: string | null = null) => ({
  id,
  words,
  body: JSON.stringify({ id, start_time: 0, end_time: 1, content, is_tag: 0 }),
});
const words = [{ text: 'One.', start: 0, end: 1, confidence: 0.5 }];

test('returns the same object for an unchanged paragraph', () => {
  const read = createParagraphReader();
  const [one, two, three] = read([row('1', 'One.', '[]'), row('2', 'Two.'), row('3', 'Three.')]);
  const reread = read([
    row('0', 'New.'),
    row('1', 'One.', JSON.stringify(words)),
    row('2', 'Two.'),
    row('3', 'Changed.'),
  ]);
  expect(reread[1]).not.toBe(one);
  expect(reread[1]?.words).toEqual(words);
  expect(reread[2]).toBe(two);
  expect(reread[3]).not.toBe(three);
  expect(reread.map(({ content }) => content)).toEqual(['New.', 'One.', 'Two.', 'Changed.']);
});

test('parses words only once and exposes them as an enumerable property', () => {
  const [spokenParagraph, silentParagraph] = createParagraphReader()([
    row('1', 'One.', JSON.stringify(words)),
    row('2', 'Two.'),
  ]);
  expect({ ...spokenParagraph }).toEqual({
    ...{ id: '1', start_time: 0, end_time: 1, content: 'One.', is_tag: 0 },
    words,
  });
  expect(spokenParagraph?.words).toBe(spokenParagraph?.words);
  expect(silentParagraph).not.toHaveProperty('words');
});

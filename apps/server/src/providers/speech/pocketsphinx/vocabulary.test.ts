import { expect, it } from 'vitest';
import { extendDictionary } from './vocabulary.ts';

const dictionary = [
  ...['john JH AA N', 'smith S M IH TH', 'boston B AO S T AH N', 'anna AE N AH'],
  ...['kovacs K OW V AE K S', 'kovacs(2) K OW V AA CH', ''],
].join('\n');

it('adds an entry as a pronunciation of common names, with and without a possessive ending', () => {
  const { text, entries } = extendDictionary(dictionary, ['Kovács']);
  expect(text.startsWith(dictionary)).toBe(true);
  const added = text.slice(dictionary.length).trim().split('\n');
  expect(added).toHaveLength(12);
  expect(added.slice(0, 2)).toEqual([
    'john(1000) K OW V AE K S',
    "john's(1001) K OW V AE K S IH Z",
  ]);
  expect(added.map((line) => entries.get(line.split(' ')[0] as string))).toEqual(
    added.map((_, index) => (index % 2 === 0 ? 'Kovács' : "Kovács's")),
  );
});

it('joins the pronunciations of several words', () => {
  const { text, entries } = extendDictionary(dictionary, ['Anna Kovács']);
  expect(text).toContain('\njohn(1000) AE N AH K OW V AE K S\n');
  expect(text).toContain('\njohn(1006) AE N AH K OW V AA CH\n');
  expect(entries.get('john(1006)')).toBe('Anna Kovács');
});

it('omits entries that the model cannot pronounce', () => {
  const unpronounceable = ['田中', 'Маркетти', 'A4', '?!'];
  expect(extendDictionary(dictionary, unpronounceable)).toEqual({
    ...{ text: dictionary, entries: new Map() },
  });
});

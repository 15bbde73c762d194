import { expect, it } from 'vitest';
import { pronounceWords } from './pronunciation.ts';

const dictionary = [
  'linnet L IH N IH T',
  'read R EH D',
  'read(2) R IY D',
  'ship SH IH P',
  'shall SH AE L',
  'hop HH AA P',
  'mission M IH SH AH N',
  'box B AA K S',
  'lack L AE K',
  "don't D OW N T",
].join('\n');

it.each([
  ['the only pronunciation in the dictionary', 'linnet', ['L IH N IH T']],
  ['all pronunciations in the dictionary', 'read', ['R EH D', 'R IY D']],
  ['two letters for one phoneme', 'shack', ['SH AE K']],
  ['one letter for two phonemes', 'lox', ['L AA K S']],
  ['the usual phonemes of letters without a similar word', 'vug', ['V AH G']],
])('returns %s', (_, word, pronunciations) => {
  expect(pronounceWords(dictionary, [word]).get(word)).toEqual(pronunciations);
});

it('returns several pronunciations for an ambiguous letter, the most common first', () => {
  const words = [
    ...['nate N EY T', 'innate IH N EY T', 'donate D OW N EY T'],
    ...['sonata S AH N AA T AH', 'pinata P IH N Y AA T AH'],
  ];
  expect(pronounceWords(words.join('\n'), ['nat']).get('nat')).toEqual(['N EY T', 'N AA T']);
});

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

it('pronounces at most 200 unknown words, and none with more than 24 letters', () => {
  const unknown = Array.from(
    { length: 201 },
    (_, n) => `shack${String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26))}`,
  );
  const longWord = 'a'.repeat(25);
  const known = pronounceWords(`${dictionary}\n${longWord} AA`, [
    'b'.repeat(25),
    ...unknown,
    longWord,
  ]);
  expect([...known.keys()]).toEqual([longWord, ...unknown.slice(0, 200)]);
});

it('ignores the votes of less similar words once more similar words have enough', () => {
  const closer = ['x', 'y', 'z', 'v', 'w'].map((letter) => `${letter}nate N EY T`);
  const others = Array.from({ length: 20 }, () => 'kata K AA T AH');
  const expected = ['N EY T'];
  for (const words of [
    [...closer, ...others],
    [...others, ...closer],
  ]) {
    expect(pronounceWords(words.join('\n'), ['nate']).get('nate')).toEqual(expected);
  }
});

it('returns several pronunciations for an ambiguous letter, most common first', () => {
  const words = [
    ...['nate N EY T', 'innate IH N EY T', 'donate D OW N EY T'],
    ...['sonata S AH N AA T AH', 'pinata P IH N Y AA T AH'],
  ];
  expect(pronounceWords(words.join('\n'), ['nat']).get('nat')).toEqual(['N EY T', 'N AA T']);
});

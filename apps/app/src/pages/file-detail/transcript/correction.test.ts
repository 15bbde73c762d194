import type { Paragraph } from '@linnet/contract';
import { expect, it } from 'vitest';
import { findCorrection } from './correction.ts';

const content = 'Good morning, mark eddie will call the company on Monday.';
const paragraph = { content } as Paragraph;

it.each([
  ['a name in place of words', ['mark eddie', 'Marchetti'], 'Marchetti'],
  ['a name of two words', ['mark eddie', 'Anna Marchetti'], 'Anna Marchetti'],
  ['a word in a script without capitals', ['eddie', '田中'], null],
  ['a word without a capital', ['mark eddie', 'someone'], null],
  ['only a capital', ['mark', 'Mark'], null],
  ['a name at the start of a sentence', ['Good morning', 'Guido'], 'Guido'],
  ['a name before a comma', ['morning', 'Morna'], 'Morna'],
  ['an inserted name', ['mark', 'mark Marchetti'], null],
  ['removed words', ['mark eddie ', ''], null],
  ['a new sentence', ['mark eddie will call the company', 'The other text is new'], null],
  ['no change', ['mark', 'mark'], null],
])('finds the corrected name: %s', (_, [before, after], name) => {
  expect(findCorrection(paragraph, content.replace(before as string, after as string))).toBe(name);
});

it.each([
  ['Chinese', '我们明天和田中山开会。', '我们明天和田中三开会。'],
  ['Chinese with Latin letters', '我们用linet开会。', 'Linnet我们开会。'],
  ['Japanese', '明日は田中さんと会います。', '明日はタナカさんと会います。'],
  ['Thai', 'พรุ่งนี้เราจะพบคุณสมชาย', 'พรุ่งนี้เราจะพบคุณสมหมาย'],
  ['Korean', '내일 회의를 합니다', '내일 회의가 합니다'],
  ['Arabic', 'نلتقي غدا صباحا', 'نلتقي غدا مساء'],
])('finds no name in a correction in %s', (_, before, after) => {
  expect(findCorrection({ content: before } as Paragraph, after)).toBeNull();
});

it('finds a name in Latin letters between words in another script', () => {
  const mixed = { content: '내일 linet 회의' } as Paragraph;
  expect(findCorrection(mixed, '내일 Linnet 회의')).toBe('Linnet');
});

import type { Paragraph } from '@linnet/contract';
import { expect, it } from 'vitest';
import { correctionOf } from './correction.ts';

const content = 'Good morning, mark eddie will call the company on Monday.';
const paragraph = { content } as Paragraph;

it.each([
  ['a name in place of words', ['mark eddie', 'Marchetti'], 'Marchetti'],
  ['a name of two words', ['mark eddie', 'Anna Marchetti'], 'Anna Marchetti'],
  ['a name in a script without capitals', ['eddie', '田中'], '田中'],
  ['a word without a capital', ['mark eddie', 'someone'], null],
  ['only a capital', ['mark', 'Mark'], null],
  ['a name at the start of a sentence', ['Good morning', 'Guido'], 'Guido'],
  ['a name before a comma', ['morning', 'Morna'], 'Morna'],
  ['an inserted name', ['mark', 'mark Marchetti'], null],
  ['removed words', ['mark eddie ', ''], null],
  ['a new sentence', ['mark eddie will call the company', 'The other text is new'], null],
  ['no change', ['mark', 'mark'], null],
])('finds the corrected name: %s', (_, [before, after], name) => {
  expect(correctionOf(paragraph, content.replace(before as string, after as string))).toBe(name);
});

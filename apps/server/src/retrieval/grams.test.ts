import { fold, foldedWords } from '@linnet/contract/folding';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGrams } from './grams.ts';

const { addText, ofWord } = createGrams('account');
function ofText(folded: string): Set<number> {
  const hashes = new Set<number>();
  addText(folded, hashes);
  return hashes;
}
const text = fc.string({ unit: fc.constantFrom(...'abßé会议가👍 \n'), maxLength: 12 });

describe('createGrams', () => {
  it('returns the same hashes in all versions, because databases contain them', () => {
    expect(ofWord('lantern')).toEqual([592442165, 361037185, 1640814997, -1597842996, -1696620775]);
  });

  it('finds all n-grams of a word in each text that contains the word', () => {
    fc.assert(
      fc.property(text, text, text, (before, keyword, after) => {
        const grams = ofText(fold(`${before}${keyword}${after}`));
        const wanted = foldedWords(keyword).flatMap(ofWord);
        expect(wanted.filter((gram) => !grams.has(gram))).toEqual([]);
      }),
    );
  });

  it.each([
    ['会', 1],
    ['会议', 1],
    ['heron', 3],
    ['aaaaaa', 1],
    ['👍👍👍a', 2],
  ])('searches for the longest n-grams of %s', (word, count) => {
    expect(ofWord(word)).toHaveLength(count);
  });

  it('distinguishes n-grams, their order and length, and accounts', () => {
    const words = ['abc', 'acb', 'ab', 'ba', 'a', 'b', '会', '议'];
    const hashes = ['one', 'two'].flatMap((account) => words.flatMap(createGrams(account).ofWord));
    expect(new Set(hashes).size).toBe(2 * words.length);
    expect(hashes.every((hash) => hash === (hash | 0))).toBe(true);
  });

  it('has no n-grams across the ends of words', () => {
    const [gram = 0] = ofWord('ab');
    const texts = ['xab', 'xa bx', 'xa\nbx'];
    expect(texts.map((each) => ofText(each).has(gram))).toEqual([true, false, false]);
  });
});

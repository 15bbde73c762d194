import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countWordErrors,
  normalizeWords,
  pooledWordErrorRate,
  wordErrorRate,
} from './word-error-rate.ts';

// A small vocabulary makes matches common.
const words = fc.array(fc.constantFrom<string>('a', 'b', 'c', 'd'), { maxLength: 12 });
const total = (said: string[], heard: string[]) => {
  const errors = countWordErrors(said, heard);
  return errors.substitutions + errors.deletions + errors.insertions;
};

describe('word error rate', () => {
  it('counts each kind of error', () => {
    const said = normalizeWords('We meet on Monday at ten.');
    const heard = normalizeWords('we meet monday at ten or');
    expect(countWordErrors(said, heard)).toEqual({
      substitutions: 0,
      deletions: 1,
      insertions: 1,
      reference: 6,
    });
    expect(wordErrorRate('one two three four', 'one too three four')).toBe(0.25);
  });

  it('ignores case, punctuation and the shape of an apostrophe', () => {
    expect(wordErrorRate('“I don’t know,” she said.', "i don't know she said")).toBe(0);
  });

  it('preserves letters and marks of every script', () => {
    expect(normalizeWords('Привет, мир! สวัสดี नमस्ते')).toEqual(['привет', 'мир', 'สวัสดี', 'नमस्ते']);
  });

  it('pools over texts by words, not by texts', () => {
    expect(
      pooledWordErrorRate([
        { reference: 'a', transcript: 'b' },
        { reference: 'a b c', transcript: 'a b c' },
      ]),
    ).toBe(0.25);
  });

  it('is infinite for words recognized in silence and zero for an empty transcript of silence', () => {
    expect(wordErrorRate('', 'hello')).toBe(Number.POSITIVE_INFINITY);
    expect(wordErrorRate('', '')).toBe(0);
  });

  it('is zero only for equal sequences', () => {
    fc.assert(
      fc.property(words, words, (said, heard) => {
        expect(total(said, heard) === 0).toBe(said.join() === heard.join());
      }),
    );
  });

  it('is symmetric, with insertions and deletions exchanged', () => {
    fc.assert(
      fc.property(words, words, (said, heard) => {
        expect(total(said, heard)).toBe(total(heard, said));
        const { deletions, insertions } = countWordErrors(said, heard);
        expect(deletions - insertions).toBe(said.length - heard.length);
      }),
    );
  });

  it('obeys the triangle inequality and its bounds', () => {
    fc.assert(
      fc.property(words, words, words, (a, b, c) => {
        expect(total(a, c)).toBeLessThanOrEqual(total(a, b) + total(b, c));
        expect(total(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(total(a, b)).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      }),
    );
  });

  it('grows by at most one with each edit', () => {
    fc.assert(
      fc.property(words, words, fc.nat(), (said, heard, where) => {
        const edited = [...heard];
        edited.splice(where % (heard.length + 1), 1, 'x');
        expect(Math.abs(total(said, edited) - total(said, heard))).toBeLessThanOrEqual(1);
      }),
    );
  });
});

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
const total = (reference: string[], hypothesis: string[]) => {
  const errors = countWordErrors(reference, hypothesis);
  return errors.substitutions + errors.deletions + errors.insertions;
};

describe('word error rate', () => {
  it('counts each kind of error', () => {
    const reference = normalizeWords('We meet on Monday at ten.');
    const hypothesis = normalizeWords('we meet monday at ten or');
    expect(countWordErrors(reference, hypothesis)).toEqual({
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

  it('weights texts by their number of words', () => {
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
      fc.property(words, words, (reference, hypothesis) => {
        expect(total(reference, hypothesis) === 0).toBe(reference.join() === hypothesis.join());
      }),
    );
  });

  it('is symmetric, with insertions and deletions exchanged', () => {
    fc.assert(
      fc.property(words, words, (reference, hypothesis) => {
        expect(total(reference, hypothesis)).toBe(total(hypothesis, reference));
        const { deletions, insertions } = countWordErrors(reference, hypothesis);
        expect(deletions - insertions).toBe(reference.length - hypothesis.length);
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
      fc.property(words, words, fc.nat(), (reference, hypothesis, where) => {
        const edited = [...hypothesis];
        edited.splice(where % (hypothesis.length + 1), 1, 'x');
        expect(
          Math.abs(total(reference, edited) - total(reference, hypothesis)),
        ).toBeLessThanOrEqual(1);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptAround, findSpans, fold, foldedWords } from './folding.ts';

const shown = (text: string, ...typed: string[]) =>
  findSpans(text, typed.flatMap(foldedWords)).map(({ start, end }) => text.slice(start, end));

describe('folding', () => {
  it.each([
    ['My RÉSUMÉ', 'my resume'],
    ['re\u0301sume\u0301', 'resume'],
    ['كِتَابٌ أُخرى', 'كتاب اخري'],
    ['مدرســة', 'مدرسه'],
    ['ＡＢＣ１', 'abc1'],
    ['ｶﾀ', 'カタ'],
    ['мой Ещё', 'мой еще'],
    ['이\u1112\u1161\u11ab', '이한'],
    ['か\u3099', 'が'],
    ['a\u0000b\n\tc', 'a b  c'],
    ['👍\ud800', '👍\ufffd'],
  ])('turns "%s" into "%s"', (text, folded) => expect(fold(text)).toBe(folded));

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
    );
  });

  it('splits a query into distinct words', () => {
    expect(foldedWords('  Café cafe\u3000ＢＡＲ ')).toEqual(['cafe', 'bar']);
    expect(foldedWords(' \u0301 \u0640\t')).toEqual([]);
  });
});

describe('spans of words', () => {
  it('refer to the original text', () => {
    expect(shown('هذا كِتَابٌ جديد', 'كتاب')).toEqual(['كِتَابٌ']);
    expect(shown('e\u0301te\u0301, ÉTÉ', 'ete')).toEqual(['e\u0301te\u0301', 'ÉTÉ']);
    expect(shown('明天的会议室', '会议')).toEqual(['会议']);
    expect(shown('แปดโมงเช้า', 'โมง')).toEqual(['โมง']);
    expect(shown('anagram', 'ana nag')).toEqual(['anag']);
    expect(shown('nothing', 'some')).toEqual([]);
  });

  it('exist exactly if the folded text contains a word', () => {
    const word = fc.string({ unit: fc.constantFrom(...'aÁb会议كِكى 👍й'), maxLength: 3 });
    const text = fc.string({ unit: fc.constantFrom(...'aÁb会议كِكى 👍й\n'), maxLength: 12 });
    fc.assert(
      fc.property(text, word, (written, typed) => {
        const words = foldedWords(typed);
        const has = words.some((each) => fold(written).includes(each));
        expect(findSpans(written, words).length > 0).toBe(has);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('an excerpt', () => {
  it('is the line of the hit, shortened if it is long', () => {
    const long = `${'x'.repeat(60)} hit ${'y'.repeat(200)}`;
    const hit = { start: 61, end: 64 };
    const { text, start } = excerptAround(`before\n${long}`, { start: 68, end: 71 });
    expect(text.slice(start, start + 3)).toBe('hit');
    expect(text).toBe(`…${long.slice(hit.start - 40, hit.end + 100)}…`);
    expect(excerptAround('one\ntwo', { start: 4, end: 7 })).toEqual({ text: 'two', start: 0 });
  });
});

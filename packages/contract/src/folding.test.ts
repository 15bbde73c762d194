import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptAround, findSpans, fold, foldedWords } from './folding.ts';

const matchedTexts = (text: string, ...typed: string[]) =>
  findSpans(text, typed.flatMap(foldedWords)).map(({ start, end }) => text.slice(start, end));

describe('fold and foldedWords', () => {
  it.each([
    ['My RÉSUMÉ', 'my resume'],
    ['re\u0301sume\u0301', 'resume'],
    ['كِتَابٌ أُخرى', 'كتاب اخري'],
    ['مدرســة', 'مدرسه'],
    ['ＡＢＣ１', 'abc1'],
    ['ｶﾀ', 'かた'],
    ['d’équipe – „so“', 'd\'equipe - "so"'],
    ['٣ ३ ๓', '3 3 3'],
    ['Straße ﬁn Œuvre', 'strasse fin oeuvre'],
    ['Łódź Øre', 'lodz ore'],
    ['ガ が', 'が が'],
    ['im\u00adport a\u200bb', 'import ab'],
    ['мой Ещё', 'мой еще'],
    ['이\u1112\u1161\u11ab', '이한'],
    ['か\u3099', 'が'],
    ['a\u0000b\n\tc', 'a b  c'],
    ['👍\ud800', '👍\ufffd'],
  ])('turn "%s" into "%s"', (text, folded) => expect(fold(text)).toBe(folded));

  it('are idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
    );
    for (let code = 0; code <= 0xffff; code += 1) {
      const folded = fold(String.fromCharCode(code));
      if (fold(folded) !== folded) expect.unreachable(`U+${code.toString(16)}`);
    }
  });

  it('split a query into distinct words', () => {
    expect(foldedWords('  Café cafe\u3000ＢＡＲ ')).toEqual(['cafe', 'bar']);
    expect(foldedWords(' \u0301 \u0640\t')).toEqual([]);
  });
});

describe('findSpans', () => {
  it('returns spans of the original text', () => {
    expect(matchedTexts('هذا كِتَابٌ جديد', 'كتاب')).toEqual(['كِتَابٌ']);
    expect(matchedTexts('e\u0301te\u0301, ÉTÉ', 'ete')).toEqual(['e\u0301te\u0301', 'ÉTÉ']);
    expect(matchedTexts('明天的会议室', '会议')).toEqual(['会议']);
    expect(matchedTexts('แปดโมงเช้า', 'โมง')).toEqual(['โมง']);
    expect(matchedTexts('anagram', 'ana nag')).toEqual(['anag']);
    expect(matchedTexts('nothing', 'some')).toEqual([]);
  });

  it('returns spans if and only if the folded text contains a word', () => {
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

describe('excerptAround', () => {
  it('returns the line that contains the hit, shortened if it is long', () => {
    const longText = `${'x'.repeat(60)} hit ${'y'.repeat(200)}`;
    const hit = { start: 61, end: 64 };
    const { text, start } = excerptAround(`before\n${longText}`, { start: 68, end: 71 });
    expect(text.slice(start, start + 3)).toBe('hit');
    expect(text).toBe(`…${longText.slice(hit.start - 40, hit.end + 100)}…`);
    const sentence = `${'x'.repeat(30)}. Today, ${'y'.repeat(32)} hit`;
    expect(excerptAround(sentence, { start: 72, end: 75 }).text).toMatch(/^…Today, y+ hit$/);
    expect(excerptAround('one\ntwo', { start: 4, end: 7 })).toEqual({ text: 'two', start: 0 });
  });
});

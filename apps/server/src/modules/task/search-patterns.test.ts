import { expandLetters, fold, foldedWords } from '@linnet/contract/folding';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPattern } from './search-patterns.ts';

const finds = (keyword: string, text: string) =>
  foldedWords(keyword)
    .map(toPattern)
    .every((pattern) => new RegExp(pattern, 'u').test(expandLetters(text)));

describe('toPattern', () => {
  it.each([
    ['resume', 'My RÉSUMÉ'],
    ['RÉSUMÉ', 'my resume'],
    ['résumé', 're\u0301sume\u0301'],
    ['re\u0301sume\u0301', 'Résumé'],
    ['açao', 'a AÇÃO dela'],
    ['nino', 'El Niño'],
    ['ещё', 'ЕЩЕ раз'],
    ['еще', 'ещё раз'],
    ['كتاب', 'هذا كِتَابٌ جديد'],
    ['كِتَاب', 'كتاب'],
    ['اكل', 'أكل'],
    ['会议', '明天的会议室'],
    ['室', '会議室で'],
    ['がく', 'だいがくせい'],
    ['회의', '내일 회의가 있다'],
    ['ประชุม', 'วันนี้มีประชุมใหญ่'],
    ['ＡＢＣ１', 'abc1'],
    ['10%', 'by 10% more'],
    ['a_b', 'x a_b y'],
    ['c++ (new)', 'C++ is (NEW)'],
    ['tomorrow hotel', 'Hotel, the day after tomorrow'],
    ['\\d', 'a \\d b'],
    ['👍', 'fine 👍'],
    ['が', 'か\u3099'],
    ['mой', 'mои\u0306'],
    ['豈', '豈'],
    ['مدرسه', 'مدرسة'],
    ['على', 'علي'],
    ['ｶﾀ', 'カタカナ'],
    ["d'équipe", 'Réunion d’équipe'],
    ['d’équipe', "réunion d'equipe"],
    ['e-mail', 'E–Mail'],
    ['３', 'um ٣ Uhr'],
    ['strasse', 'Lange Straße'],
    ['traß', 'STRASSE'],
    ['oeuvre', 'Chef d’œuvre'],
    ['lodz', 'Łódź'],
    ['finden', 'ﬁnden'],
    ['かな', 'カタカナ'],
    ['ガ', 'か\u3099'],
    ['نمی\u200cخواهم', 'نمیخواهم'],
  ])('finds "%s" in "%s"', (keyword, text) => {
    expect(finds(keyword, text)).toBe(true);
  });

  it.each([
    ['10%', '100'],
    ['a_b', 'axb'],
    ['.', 'abc'],
    ['か', 'が'],
    ['가', '각'],
    ['мой', 'мои'],
    ['\\d', '5'],
    ['hotel parking', 'a hotel'],
    ['ab', 'a b'],
  ])('does not find "%s" in "%s"', (keyword, text) => {
    expect(finds(keyword, text)).toBe(false);
  });

  it('returns valid patterns that match their keyword', () => {
    const keywords = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(keywords, (keyword) => {
        expect(finds(keyword, `x${keyword.normalize('NFC')}y`)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('finds the same texts as the search on phones', () => {
    const letters = [..."aÁbßsæeﬁ٣3ｶカかガكِأاىيةهﻻйи会议👍%.’'–-\u200b "];
    const keywords = fc.string({ unit: fc.constantFrom(...letters), maxLength: 4 });
    const texts = fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 });
    fc.assert(
      fc.property(keywords, texts, (keyword, rawText) => {
        const text = rawText.normalize('NFC');
        const words = foldedWords(keyword);
        expect(finds(keyword, text)).toBe(words.every((word) => fold(text).includes(word)));
      }),
      { numRuns: 3000 },
    );
  });
});

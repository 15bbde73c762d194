import { describe, expect, it } from 'vitest';
import { extractTerms, hashTerm } from './terms.ts';

const common = (a: string, b: string) => {
  const terms = new Set(extractTerms(a).map(({ text }) => text));
  return extractTerms(b).flatMap(({ text }) => (terms.has(text) ? [text] : []));
};

it('a term’s hash never changes, because databases contain it', () => {
  expect(hashTerm('account', 'lantern')).toBe('7261616870685132138');
});

describe('the terms of a text', () => {
  it.each([
    ['an English plural', 'two quotes for the roof', 'the quote'],
    ['a Spanish accent and plural', 'los presupuestos', 'PRESUPUESTO'],
    ['a French accent', 'la réunion', 'reunion'],
    ['a Russian ending', 'договора', 'договором'],
    ['an Arabic article and preposition', 'والميزانية', 'ميزانية'],
    ['an Arabic vowel sign', 'مِيزَانِيَّة', 'الميزانية'],
    ['a Korean particle', '예산을', '예산이'],
    ['a Japanese verb ending', '確認しました', '確認する'],
    ['half-width katakana', 'ｶﾚﾝﾀﾞｰ', 'カレンダー'],
    ['Chinese without spaces', '我们讨论预算', '预算多少'],
    ['Thai without spaces', 'เราคุยเรื่องงบประมาณ', 'งบประมาณเท่าไร'],
    ['Chinese after digits', '2026年3月的预算是五万', '预算'],
    ['Japanese after digits', '11月の会議で決めた', '会議'],
    ['a Korean particle after Latin letters', 'API를 만들었다', 'API'],
    ['Latin letters in Chinese', '用React开发应用', '开发'],
    ['Thai after digits', '5ล้านบาท', 'ล้านบาท'],
    ['digits in another script', '٢٠٢٥', '2025'],
  ])('match despite %s', (_name, a, b) => {
    expect(common(a, b)).not.toHaveLength(0);
  });

  it('match if a Russian word has the same ending in both texts', () => {
    expect(common('крышей', 'крышей')).not.toHaveLength(0);
  });

  it('are distinct, and their hashes fit the database column', () => {
    const terms = extractTerms('roof roof Roof 屋根屋根').map(({ text }) => text);
    expect(new Set(terms).size).toBe(terms.length);
    for (const text of terms) {
      const hash = BigInt(hashTerm('account', text));
      expect(BigInt.asIntN(64, hash)).toBe(hash);
    }
  });

  it('hash differently for each account and term', () => {
    const hashes = ['a', 'b'].flatMap((account) =>
      ['roof', 'foor', 'roofs', 'r', ''].map((term) => hashTerm(account, term)),
    );
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('can be extracted from any text, even without words', () => {
    expect(extractTerms('')).toEqual([]);
    expect(extractTerms('…?! \u0000')).toEqual([]);
    expect(() => extractTerms('\ud800 lone')).not.toThrow();
  });
});

import { describe, expect, it } from 'vitest';
import { languages, toBcp47, toLanguageId } from './languages.ts';

describe('a language', () => {
  it.each(languages)('is recognized by both $id and $bcp47, in any case', ({ id, bcp47 }) => {
    for (const spelling of [id, bcp47, id.toUpperCase(), bcp47.toLowerCase()]) {
      expect(toBcp47(spelling)).toBe(bcp47);
    }
    expect(toLanguageId(bcp47)).toBe(id);
  });

  it('may have a region; Chinese is accepted only in its simplified form', () => {
    expect(toBcp47('en-GB')).toBe('en');
    expect(toBcp47('pt-BR')).toBe('pt');
    expect(toBcp47('zh')).toBe('zh-Hans');
    expect(toBcp47('zh-CN')).toBe('zh-Hans');
    expect(toBcp47('zh-Hans-SG')).toBe('zh-Hans');
    expect(toBcp47('zh-Hant')).toBeUndefined();
    expect(toBcp47('zh-TW')).toBeUndefined();
  });

  it.each(['', 'de', 'klingon', 'e', '__proto__', 'constructor'])(
    'is not recognized by %o',
    (language) => {
      expect(toBcp47(language)).toBeUndefined();
    },
  );
});

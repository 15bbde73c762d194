import { interfaceLanguages } from '@linnet/contract/interface-languages';
import { describe, expect, it } from 'vitest';
import { englishWords } from '../../test/english-words.ts';
import { fill, fillMinutes, words } from './index.ts';

/** Returns all messages, by path. */
function flattenTexts(value: object, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, entry]): [string, string][] => {
    const path = `${prefix}${key}`;
    return typeof entry === 'string' ? [[path, entry]] : flattenTexts(entry, `${path}.`);
  });
}
const findPlaceholders = (text: string) => text.match(/\{\w+\}/g) ?? [];
const english = new Map(flattenTexts(words.en));

describe.each(interfaceLanguages.map(({ language }) => language))('the texts in %s', (language) => {
  const texts = flattenTexts(words[language]);

  it('have the same placeholders as the English texts', () => {
    for (const [path, text] of texts) {
      const englishText = english.get(path) ?? english.get(path.replace(/\.\w+$/, '.other'));
      // The plural forms `one` and `two` may spell out the number.
      const isSpelledOut = /\.(zero|one|two)$/.test(path) && findPlaceholders(text).length === 0;
      if (!isSpelledOut) {
        expect(findPlaceholders(text), path).toEqual(findPlaceholders(englishText ?? ''));
      }
    }
  });

  it('have every plural form of the language', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort();
    for (const forms of [words[language].codeMail.expires, words[language].plans.minutes]) {
      expect(Object.keys(forms).sort()).toEqual(categories);
    }
  });

  if (language !== 'en') {
    it('contain no English', () => {
      const isLatin = ['es', 'pt', 'fr'].includes(language);
      for (const [path, text] of texts) {
        const ownText = text.replace(/\{\w+\}|Linnet|VIP|URL|ToDo|AI/g, '');
        if (isLatin) expect(ownText, path).not.toMatch(englishWords);
        else expect(ownText, path).not.toMatch(/[a-z]/i);
      }
    });
  }
});

it.each([
  ['en', 1, 'It expires in 1 minute.'],
  ['en', 10, 'It expires in 10 minutes.'],
  ['ru', 10, 'Он действует 10 минут.'],
  ['ru', 3, 'Он действует 3 минуты.'],
  ['ar', 2, 'تنتهي صلاحيته بعد دقيقتين.'],
  ['ar', 10, 'تنتهي صلاحيته بعد 10 دقائق.'],
  ['ar', 15, 'تنتهي صلاحيته بعد 15 دقيقة.'],
  ['ja', 10, '有効期限は10分です。'],
] as const)('in %s, %i minutes have the right plural form', (language, minutes, text) => {
  expect(fillMinutes(words[language].codeMail.expires, minutes, language)).toBe(text);
});

it('a text cannot be filled in without a value', () => {
  expect(() => fill('{code} is the code', {})).toThrow('no value for {code}');
});

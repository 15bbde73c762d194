import { expect, it } from 'vitest';
import en from './locales/en/index.ts';
import { pseudoText, pseudoTexts } from './pseudo.ts';

it('accents every letter, keeps arguments, and lengthens the text', () => {
  const translated = pseudoText('Delete {{name}} now');
  expect(translated).toContain('{{name}}');
  expect(translated.replace('{{name}}', '')).not.toMatch(/[a-zA-Z]/);
  expect(translated.length).toBeGreaterThan('Delete {{name}} now'.length * 1.2);
});

it('changes every English word', () => {
  const findEnglishWords = (words: object): string[] =>
    Object.values(words).flatMap((value) =>
      typeof value === 'string'
        ? (value.replace(/\{\{\w+\}\}/g, '').match(/[a-z]+/gi) ?? [])
        : findEnglishWords(value),
    );
  expect(findEnglishWords(en).length).toBeGreaterThan(1000);
  expect(findEnglishWords(pseudoTexts(en))).toEqual([]);
});

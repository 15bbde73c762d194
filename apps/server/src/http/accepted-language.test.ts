import { expect, it } from 'vitest';
import { acceptedLanguage } from './accepted-language.ts';

it.each([
  [undefined, 'en'],
  ['*', 'en'],
  ['fr', 'fr'],
  ['de-CH, pt-BR;q=0.8, en;q=0.5', 'pt'],
  ['en;q=0.2, ja;q=0.9', 'ja'],
  ['fr;q=0, ar', 'ar'],
  ['zh-TW,zh;q=0.9', 'zh-Hans'],
  [';;,q=1, ;q=x', 'en'],
])('chooses for %j: %s', (header, language) => {
  expect(acceptedLanguage({ 'accept-language': header })).toBe(language);
});

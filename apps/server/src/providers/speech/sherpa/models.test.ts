import { expect, it } from 'vitest';
import { detectedLanguage } from './models.ts';

const languages = ['zh-Hans', 'en'].map((tag) => ({ tag, quality: 'good' as const }));

it.each([
  ['<|zh|>', 'zh-Hans'],
  ['<|yue|>', 'zh-Hans'],
  ['en', 'en'],
  // A supported language that the model doesn't list, and an unsupported language.
  ['<|ja|>', 'ja'],
  ['de', 'de'],
  ['<|nospeech|>', 'zh-Hans'],
  ['', 'zh-Hans'],
])('converts the reported language "%s" to %s', (reported, expected) => {
  expect(detectedLanguage(reported, { languages })).toBe(expected);
});

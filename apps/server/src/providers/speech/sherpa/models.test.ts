import { expect, it } from 'vitest';
import { detectedLanguage } from './models.ts';

const languages = ['zh-Hans', 'en'].map((tag) => ({ tag, quality: 'good' as const }));

it.each([
  ['<|zh|>', 'zh-Hans'],
  ['<|yue|>', 'zh-Hans'],
  ['en', 'en'],
  // Not one of its languages, though one of ours; and one that is neither.
  ['<|ja|>', 'ja'],
  ['de', 'de'],
  ['<|nospeech|>', 'zh-Hans'],
  ['', 'zh-Hans'],
])('a model that says "%s" heard %s', (said, expected) => {
  expect(detectedLanguage(said, { languages })).toBe(expected);
});

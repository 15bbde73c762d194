import { describe, expect, it } from 'vitest';
import { bestLanguage } from './languages.ts';

describe('bestLanguage', () => {
  it.each([
    [['ar-EG', 'en'], 'ar'],
    [['tlh', 'ar'], 'ar'],
    [['en-GB', 'ar'], 'en'],
    [['tlh'], 'en'],
    [[], 'en'],
  ])('selects for %j: %s', (preferences, language) => {
    expect(bestLanguage(preferences)).toBe(language);
  });

  it.each(['zh', 'zh-CN', 'zh-SG', 'zh-Hans', 'zh-Hans-HK', 'zh-TW', 'zh-Hant'])(
    'prefers Simplified Chinese over English for %s',
    (preference) => {
      expect(bestLanguage([preference, 'en'])).toBe('zh-Hans');
    },
  );
});

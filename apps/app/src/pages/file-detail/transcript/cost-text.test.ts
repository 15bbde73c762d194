import i18next from 'i18next';
import { beforeAll, expect, it } from 'vitest';
import en from '../../../i18n/locales/en/index.ts';
import { costText } from './cost-text.ts';

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { translation: en } } }));

it.each([
  [null, ''],
  [30, ' You have 30 left.'],
  [2, ' You have 2 left, which isn’t enough.'],
  [0, ' You don’t have any minutes left.'],
])('describes a balance of %j minutes', (remainingMinutes, text) => {
  const { t } = i18next;
  expect(costText(t, 'en', 5, remainingMinutes)).toBe(costText(t, 'en', 5, null) + text);
});

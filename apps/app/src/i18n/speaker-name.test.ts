import i18next, { type TFunction } from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import english from './locales/en/recording.ts';
import { speakerName } from './speaker-name.ts';

let t: TFunction;
beforeAll(async () => {
  const i18n = i18next.createInstance();
  await i18n.init({ lng: 'en', resources: { en: { translation: english } } });
  t = i18n.getFixedT('en');
});

describe('speakerName', () => {
  it('names the sides of a call, and numbers other speakers', () => {
    expect(['me', 'others', '2'].map((label) => speakerName(t, label, {}))).toEqual([
      ...['Me', 'Others', 'Speaker 2'],
    ]);
  });

  it('prefers the name that the user gave', () => {
    expect(speakerName(t, 'others', { others: 'Miriam' })).toBe('Miriam');
  });
});

import { structureHeadings } from '@linnet/contract/structures';
import i18next, { type TFunction } from 'i18next';
import { beforeAll, expect, it } from 'vitest';
import { interfaceLanguages } from '../../i18n/languages.ts';
import en from '../../i18n/locales/en/index.ts';
import { noteHeadings, sectionName } from './device-note.ts';

const files = import.meta.glob<object>('../../i18n/locales/*/*.json', {
  import: 'default',
  eager: true,
});

/**
 * The headings of the server's notes. Imported dynamically, because the type check of the app doesn't include the
 * server.
 */
const server: {
  noteHeadings(language: string): Readonly<Record<string, unknown>>;
  sectionName(heading: string, language: string): string;
} = {
  ...(await import('../../../../server/src/modules/vault/read-note.ts' as string)),
  ...(await import('../../../../server/src/transcript/section-words.ts' as string)),
};

const texts = new Map<string, TFunction>();
beforeAll(async () => {
  for (const { language } of interfaceLanguages) {
    const parts = Object.entries(files).filter(([path]) => path.includes(`/${language}/`));
    const translation =
      language === 'en' ? en : Object.assign({}, ...parts.map(([, part]) => part));
    const instance = i18next.createInstance();
    texts.set(
      language,
      await instance.init({ lng: language, resources: { [language]: { translation } } }),
    );
  }
});

it.each(interfaceLanguages)(
  'a note has the same headings as on the server: $language',
  ({ language }) => {
    const t = texts.get(language);
    if (!t) throw new Error(`no texts in ${language}`);
    expect(server.noteHeadings(language)).toMatchObject(noteHeadings(t));
    for (const heading of new Set(Object.values(structureHeadings).flat())) {
      expect(sectionName(t, heading)).toBe(server.sectionName(heading, language));
    }
    expect(sectionName(t, 'An own heading')).toBe('An own heading');
  },
);

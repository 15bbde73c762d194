import { readdirSync, readFileSync } from 'node:fs';
import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import en from '../src/i18n/locales/en/index.ts';

const locales = new URL('../src/i18n/locales/', import.meta.url);

/** Reads the app's messages in the given language from its locale files. */
export function readTexts(language: InterfaceLanguage): typeof en {
  if (language === 'en') return en;
  const folder = new URL(`${language}/`, locales);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return Object.assign(
    {},
    ...files.map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))),
  );
}

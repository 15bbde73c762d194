import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import en from '@linnet/app/words/en';

const locales = join(import.meta.dirname, '..', '..', 'apps', 'app', 'src', 'i18n', 'locales');

/** Loads the messages that the app loads at startup, in a language. */
export async function loadEntryTexts(language: string): Promise<Pick<typeof en, 'account'>> {
  if (language === 'en') return en;
  return JSON.parse(await readFile(join(locales, language, 'entry.json'), 'utf8'));
}

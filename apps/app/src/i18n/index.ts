/**
 * The interface's words: a folder per language, loaded in parcels when they are wanted. `startLanguage()`
 * has to resolve before anything is rendered.
 */
import i18next from 'i18next';
import { useSyncExternalStore } from 'react';
import { initReactI18next } from 'react-i18next';
import { nextTask } from '../ui/next-task.ts';
import { bestLanguage, type InterfaceLanguage, interfaceLanguages } from './languages.ts';

export { useTranslation } from 'react-i18next';
export type { Direction, InterfaceLanguage } from './languages.ts';
export { directionOf, interfaceLanguages } from './languages.ts';

/** Local storage: the language that was chosen; absent follows the browser. */
const choiceKey = 'language';

/**
 * Words come in parcels, each with the screens that want it. A parcel is made of the files of
 * `locales/<language>/` named here; the build packs them into one (`vite.config.ts`).
 */
const parcels = {
  /** What everybody sees: signing in, and what may go wrong on the way. */
  entry: ['entry'],
  /** What is behind it. */
  'signed-in': ['library', 'recording', 'recorder', 'me'],
} as const;
export type WordParcel = keyof typeof parcels;

const files = import.meta.glob<object>(['./locales/*/*.{ts,json}', '!**/index.ts'], {
  import: 'default',
});

/** The parcels that are on screen, which another language has to have, too. */
const wanted = new Set<WordParcel>(['entry']);

function isSpoken(language: string | null): language is InterfaceLanguage {
  return interfaceLanguages.some((known) => known.language === language);
}

function fileOf(language: InterfaceLanguage, name: string): Promise<object> {
  const load = files[`./locales/${language}/${name}.${language === 'en' ? 'ts' : 'json'}`];
  if (!load) throw new Error(`no words called ${name} in ${language}`);
  return load();
}

/** Settled once there is something to put words into. */
const initialised = Promise.withResolvers<void>();

/** The language that was chosen, or the browser's on a first visit. */
function firstLanguage(): InterfaceLanguage {
  const chosen = localStorage.getItem(choiceKey);
  return isSpoken(chosen) ? chosen : bestLanguage(navigator.languages);
}

function currentLanguage(): InterfaceLanguage {
  return isSpoken(i18next.language) ? i18next.language : firstLanguage();
}

/** Which parcels of which language are in place. */
const placed = new Set<string>();

async function place(language: InterfaceLanguage, parcel: WordParcel): Promise<void> {
  const key = `${language} ${parcel}`;
  if (placed.has(key)) return;
  const words = await Promise.all(parcels[parcel].map((name) => fileOf(language, name)));
  await initialised.promise;
  for (const part of words) i18next.addResourceBundle(language, 'translation', part, true, true);
  placed.add(key);
}

/** Fetches words that a screen is about to show, in the language on screen. Rejects when a file is missing. */
export async function loadWords(parcel: WordParcel): Promise<void> {
  wanted.add(parcel);
  await place(currentLanguage(), parcel);
}

function dress(language: InterfaceLanguage): void {
  const known = interfaceLanguages.find((entry) => entry.language === language);
  document.documentElement.lang = language;
  document.documentElement.dir = known?.direction ?? 'ltr';
}

/** Loads what everybody sees in {@link firstLanguage}. Rejects when its file is missing. */
export async function startLanguage(): Promise<void> {
  const language = firstLanguage();
  const words = await Promise.all(parcels.entry.map((name) => fileOf(language, name)));
  await nextTask();
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: Object.assign({}, ...words) } },
    // React escapes what it renders.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  placed.add(`${language} entry`);
  initialised.resolve();
  dress(language);
}

/** Switches at once, without a reload, and remembers the choice. */
export async function chooseLanguage(language: InterfaceLanguage): Promise<void> {
  await Promise.all([...wanted].map((parcel) => place(language, parcel)));
  localStorage.setItem(choiceKey, language);
  dress(language);
  await i18next.changeLanguage(language);
}

/** The language on screen. */
export function useLanguage(): InterfaceLanguage {
  return useSyncExternalStore((listener) => {
    i18next.on('languageChanged', listener);
    return () => i18next.off('languageChanged', listener);
  }, currentLanguage);
}

/**
 * The interface's words: a folder per language, loaded in parcels when they are wanted. `startLanguage()`
 * has to resolve before anything is rendered.
 */
import i18next from 'i18next';
import { useSyncExternalStore } from 'react';
import { initReactI18next } from 'react-i18next';
import { nextTask } from '../runtime/next-task.ts';
import {
  bestLanguage,
  type InterfaceLanguage,
  interfaceLanguages,
  pseudoLanguage,
} from './languages.ts';

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
  'signed-in': ['library', 'recording', 'recorder', 'transfer', 'storage', 'me', 'personal'],
  /** Pages for anybody: the language, and the server. */
  doorstep: ['doorstep'],
  /** Guides, questions, feedback, and the demo's frame. */
  help: ['help'],
  /** What registering accepts. */
  agreements: ['agreements'],
  /** Plans, payments, and what was bought and used. */
  membership: ['membership'],
  /** Maps, and places on them. */
  places: ['places'],
} as const;
export type WordParcel = keyof typeof parcels;

const files = import.meta.glob<object>(['./locales/*/*.{ts,json}', '!**/index.ts'], {
  import: 'default',
});

/** The parcels that are on screen, which another language has to have, too. */
const wanted = new Set<WordParcel>(['entry']);

function isSpoken(language: string | null): language is InterfaceLanguage {
  return (
    language === pseudoLanguage || interfaceLanguages.some((known) => known.language === language)
  );
}

async function fileOf(language: InterfaceLanguage, name: string): Promise<object> {
  if (language === pseudoLanguage) {
    const { pseudoWords } = await import('./pseudo.ts');
    return pseudoWords(await fileOf('en', name));
  }
  const load = files[`./locales/${language}/${name}.${language === 'en' ? 'ts' : 'json'}`];
  if (!load) throw new Error(`no words called ${name} in ${language}`);
  return load();
}

/** Settled once there is something to put words into. */
const initialised = Promise.withResolvers<void>();

/** The interface language that suits this browser best. */
export function browserLanguage(): InterfaceLanguage {
  return bestLanguage(navigator.languages);
}

/** The language that was chosen, or the browser's on a first visit. */
function firstLanguage(): InterfaceLanguage {
  const chosen = localStorage.getItem(choiceKey);
  return isSpoken(chosen) ? chosen : browserLanguage();
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

/** Tell that the choice changed, even where the language did not. */
const choiceListeners = new Set<() => void>();

/** How often a language was chosen: only the last choice counts, whenever its words come. */
let choices = 0;

/** Switches at once, without a reload, and remembers the choice. @param choice null follows the browser */
export async function chooseLanguage(choice: InterfaceLanguage | null): Promise<void> {
  const language = choice ?? browserLanguage();
  choices += 1;
  const mine = choices;
  let missing: WordParcel[];
  do {
    // A screen that was opened meanwhile wants more.
    missing = [...wanted].filter((parcel) => !placed.has(`${language} ${parcel}`));
    await Promise.all(missing.map((parcel) => place(language, parcel)));
  } while (missing.length > 0);
  if (mine !== choices) return;
  if (choice) localStorage.setItem(choiceKey, choice);
  else localStorage.removeItem(choiceKey);
  for (const listener of choiceListeners) listener();
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

/** The language that was chosen; null follows the browser. */
export function useLanguageChoice(): InterfaceLanguage | null {
  return useSyncExternalStore(
    (listener) => {
      choiceListeners.add(listener);
      return () => choiceListeners.delete(listener);
    },
    () => {
      const chosen = localStorage.getItem(choiceKey);
      return isSpoken(chosen) ? chosen : null;
    },
  );
}

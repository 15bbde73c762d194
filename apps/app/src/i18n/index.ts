/**
 * Loads the interface's translations on demand, by language and namespace, and switches languages. `startLanguage()`
 * must have resolved before anything is rendered.
 */
import { Emitter } from '@linnet/base';
import i18next from 'i18next';
import { useSyncExternalStore } from 'react';
import { initReactI18next } from 'react-i18next';
import { nextTask } from '../runtime/next-task.ts';
import {
  bestLanguage,
  type InterfaceLanguage,
  interfaceLanguages,
  manifestPath,
  pseudoLanguage,
} from './languages.ts';

export { useTranslation } from 'react-i18next';
export type { Direction, InterfaceLanguage } from './languages.ts';
export { getDirection, interfaceLanguages } from './languages.ts';

/** Local storage key of the chosen language. Not set while the app follows the browser's language. */
const choiceKey = 'language';

/**
 * Each namespace's translations load together with the screens that use them. A namespace consists of the files in
 * `locales/<language>/` listed here; the build packs them into one (`vite.config.ts`).
 */
const namespaces = {
  /** Sign-in and its failures. Always loaded. */
  entry: ['entry'],
  /** Signed-in screens. */
  'signed-in': ['library', 'recording', 'recorder', 'transfer', 'storage', 'me', 'personal'],
  /** Public pages: the language and the server address. */
  doorstep: ['doorstep'],
  /** Guides, questions, feedback, and the demo's frame. */
  help: ['help'],
  /** The terms that users accept when they register. */
  agreements: ['agreements'],
  /** Plans, payments and usage. */
  membership: ['membership'],
  /** Questions about the recordings. */
  ask: ['ask'],
  /** Maps and places. */
  places: ['places'],
} as const;
export type Namespace = keyof typeof namespaces;

const files = import.meta.glob<object>(['./locales/*/*.{ts,json}', '!**/{index,document}.*'], {
  import: 'default',
});

/** Namespaces in use. A newly chosen language loads them too. */
const required = new Set<Namespace>(['entry']);

function isInterfaceLanguage(language: string | null): language is InterfaceLanguage {
  return (
    language === pseudoLanguage || interfaceLanguages.some((entry) => entry.language === language)
  );
}

async function loadFile(language: InterfaceLanguage, name: string): Promise<object> {
  if (language === pseudoLanguage) {
    const { pseudoTexts } = await import('./pseudo.ts');
    return pseudoTexts(await loadFile('en', name));
  }
  const load = files[`./locales/${language}/${name}.${language === 'en' ? 'ts' : 'json'}`];
  if (!load) throw new Error(`no translations named ${name} in ${language}`);
  return load();
}

/** Resolves once i18next is initialized. */
const initialized = Promise.withResolvers<void>();

/** Returns the best interface language for this browser. */
export function browserLanguage(): InterfaceLanguage {
  return bestLanguage(navigator.languages);
}

/** Returns the chosen language, or the browser's language if the user has not chosen one. */
function firstLanguage(): InterfaceLanguage {
  const chosen = localStorage.getItem(choiceKey);
  return isInterfaceLanguage(chosen) ? chosen : browserLanguage();
}

/** Returns the current interface language. In components, use {@link useLanguage}. */
export function currentLanguage(): InterfaceLanguage {
  return isInterfaceLanguage(i18next.language) ? i18next.language : firstLanguage();
}

/** Loaded namespaces, as `<language> <namespace>`. */
const loaded = new Set<string>();

async function loadNamespaceIn(language: InterfaceLanguage, namespace: Namespace): Promise<void> {
  const key = `${language} ${namespace}`;
  if (loaded.has(key)) return;
  const files = await Promise.all(namespaces[namespace].map((name) => loadFile(language, name)));
  await initialized.promise;
  for (const part of files) i18next.addResourceBundle(language, 'translation', part, true, true);
  loaded.add(key);
}

/** Loads a namespace in the current language. Rejects if a file is missing. */
export async function loadNamespace(namespace: Namespace): Promise<void> {
  required.add(namespace);
  await loadNamespaceIn(currentLanguage(), namespace);
}

function applyToDocument(language: InterfaceLanguage): void {
  const knownLanguage = interfaceLanguages.find((entry) => entry.language === language);
  document.documentElement.lang = language;
  document.documentElement.dir = knownLanguage?.direction ?? 'ltr';
  // Browsers read the manifest when they install the app. Phone apps don't have one.
  const manifest = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
  if (manifest) manifest.href = manifestPath(language);
}

/** Loads the `entry` namespace in {@link firstLanguage}. Rejects if its file is missing. */
export async function startLanguage(): Promise<void> {
  const language = firstLanguage();
  const files = await Promise.all(namespaces.entry.map((name) => loadFile(language, name)));
  await nextTask();
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: Object.assign({}, ...files) } },
    // React already escapes what it renders.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  loaded.add(`${language} entry`);
  initialized.resolve();
  applyToDocument(language);
}

/** Notifies listeners of every choice, even if the language stays the same. */
const choiceChanged = new Emitter();

/**
 * Number of choices so far. Only the latest one takes effect, even if an earlier one's translations finish loading
 * after it.
 */
let choices = 0;

/**
 * Switches languages without a reload and remembers the choice.
 * @param choice null to follow the browser
 */
export async function chooseLanguage(choice: InterfaceLanguage | null): Promise<void> {
  const language = choice ?? browserLanguage();
  choices += 1;
  const choiceNumber = choices;
  let missing: Namespace[];
  do {
    // A screen opened while translations were loading may have added namespaces.
    missing = [...required].filter((namespace) => !loaded.has(`${language} ${namespace}`));
    await Promise.all(missing.map((namespace) => loadNamespaceIn(language, namespace)));
  } while (missing.length > 0);
  if (choiceNumber !== choices) return;
  if (choice) localStorage.setItem(choiceKey, choice);
  else localStorage.removeItem(choiceKey);
  choiceChanged.emit();
  applyToDocument(language);
  await i18next.changeLanguage(language);
}

/** Calls the listener when the user chooses a different language. Returns a function that unsubscribes it. */
export function onLanguageChanged(listener: (language: string) => void): () => void {
  i18next.on('languageChanged', listener);
  return () => i18next.off('languageChanged', listener);
}

/** Returns the current interface language. */
export function useLanguage(): InterfaceLanguage {
  return useSyncExternalStore((listener) => {
    i18next.on('languageChanged', listener);
    return () => i18next.off('languageChanged', listener);
  }, currentLanguage);
}

/** Returns the chosen language, or null if the app follows the browser. */
export function useLanguageChoice(): InterfaceLanguage | null {
  return useSyncExternalStore(
    (listener) => choiceChanged.subscribe(listener),
    () => {
      const chosen = localStorage.getItem(choiceKey);
      return isInterfaceLanguage(chosen) ? chosen : null;
    },
  );
}

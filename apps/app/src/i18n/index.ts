/**
 * The interface's words: one file per language, loaded when it is wanted. `startLanguage()` has to
 * resolve before anything is rendered.
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

const loaders: Record<InterfaceLanguage, () => Promise<{ default: object }>> = {
  en: () => import('./locales/en.ts'),
  'zh-Hans': () => import('./locales/zh-Hans.json'),
  ar: () => import('./locales/ar.json'),
  ja: () => import('./locales/ja.json'),
  ko: () => import('./locales/ko.json'),
  th: () => import('./locales/th.json'),
  ru: () => import('./locales/ru.json'),
  es: () => import('./locales/es.json'),
  pt: () => import('./locales/pt.json'),
  fr: () => import('./locales/fr.json'),
};

function isSpoken(language: string | null): language is InterfaceLanguage {
  return interfaceLanguages.some((known) => known.language === language);
}

async function load(language: InterfaceLanguage): Promise<void> {
  if (i18next.hasResourceBundle(language, 'translation')) return;
  const { default: words } = await loaders[language]();
  i18next.addResourceBundle(language, 'translation', words);
}

function dress(language: InterfaceLanguage): void {
  const known = interfaceLanguages.find((entry) => entry.language === language);
  document.documentElement.lang = language;
  document.documentElement.dir = known?.direction ?? 'ltr';
}

/** Loads the chosen language, or the browser's on a first visit. Rejects when its file is missing. */
export async function startLanguage(): Promise<void> {
  const chosen = localStorage.getItem(choiceKey);
  const language = isSpoken(chosen) ? chosen : bestLanguage(navigator.languages);
  const { default: words } = await loaders[language]();
  await nextTask();
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: words } },
    // React escapes what it renders.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  dress(language);
}

/** Switches at once, without a reload, and remembers the choice. */
export async function chooseLanguage(language: InterfaceLanguage): Promise<void> {
  await load(language);
  localStorage.setItem(choiceKey, language);
  dress(language);
  await i18next.changeLanguage(language);
}

/** The language on screen. */
export function useLanguage(): InterfaceLanguage {
  return useSyncExternalStore(
    (listener) => {
      i18next.on('languageChanged', listener);
      return () => i18next.off('languageChanged', listener);
    },
    () => (isSpoken(i18next.language) ? i18next.language : 'en'),
  );
}

/**
 * The interface languages for the app, emails and checkouts. This module imports nothing, because the app loads it at
 * startup. To add a language, add a line here, a folder in the app's `locales/`, and a file in the server's `words/`.
 * Each name is written in its own language, so that its speakers recognize it.
 */
export const interfaceLanguages = [
  { language: 'en', name: 'English', direction: 'ltr' },
  { language: 'zh-Hans', name: '简体中文', direction: 'ltr' },
  { language: 'ar', name: 'العربية', direction: 'rtl' },
  { language: 'ja', name: '日本語', direction: 'ltr' },
  { language: 'ko', name: '한국어', direction: 'ltr' },
  { language: 'th', name: 'ไทย', direction: 'ltr' },
  { language: 'ru', name: 'Русский', direction: 'ltr' },
  { language: 'es', name: 'Español', direction: 'ltr' },
  { language: 'pt', name: 'Português', direction: 'ltr' },
  { language: 'fr', name: 'Français', direction: 'ltr' },
] as const;

export type InterfaceLanguage = (typeof interfaceLanguages)[number]['language'];
export type Direction = (typeof interfaceLanguages)[number]['direction'];

/** Returns a language's writing direction. */
export function getDirection(language: string): Direction {
  return interfaceLanguages.find((known) => known.language === language)?.direction ?? 'ltr';
}

/**
 * Returns the best interface language for a list of BCP 47 tags such as `navigator.languages`: `ar` for `ar-EG`,
 * `zh-Hans` for any Chinese variant, and English if none is available.
 */
export function bestLanguage(preferences: readonly string[]): InterfaceLanguage {
  for (const preference of preferences) {
    const [primary = ''] = preference.toLowerCase().split('-');
    const match = interfaceLanguages.find(({ language }) => language.split('-')[0] === primary);
    if (match) return match.language;
  }
  return 'en';
}

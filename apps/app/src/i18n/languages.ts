/**
 * The languages the interface speaks. Adding one is a line here and a folder in `locales/`;
 * the names are in their own language, because whoever looks for it reads that one.
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

/** The pseudo-locale (`pseudo.ts`): in no list, chosen by hand by whoever looks for words that are missing. */
export const pseudoLanguage = 'en-XA';

export type InterfaceLanguage =
  | (typeof interfaceLanguages)[number]['language']
  | typeof pseudoLanguage;
export type Direction = (typeof interfaceLanguages)[number]['direction'];

/** The direction in which a language is read. */
export function directionOf(language: string): Direction {
  return interfaceLanguages.find((known) => known.language === language)?.direction ?? 'ltr';
}

/**
 * The interface language that suits a list of wishes, best first (`navigator.languages`): `ar-EG` is
 * served by `ar`, and any Chinese by `zh-Hans`, which is nearer to it than English. English when none of
 * them is spoken.
 */
export function bestLanguage(wishes: readonly string[]): InterfaceLanguage {
  for (const wish of wishes) {
    const [primary = ''] = wish.toLowerCase().split('-');
    const match = interfaceLanguages.find(({ language }) => language.split('-')[0] === primary);
    if (match) return match.language;
  }
  return 'en';
}

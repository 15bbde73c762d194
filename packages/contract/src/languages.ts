/**
 * The ten supported languages, each with its ID in the specification and its BCP 47 tag. The tag is the form that's
 * stored. This module imports nothing, because the app loads it at startup.
 */
export const languages = [
  { id: 'en', bcp47: 'en' },
  { id: 'zh-Hans', bcp47: 'zh-Hans' },
  { id: 'arabic', bcp47: 'ar' },
  { id: 'Japanese', bcp47: 'ja' },
  { id: 'Korean', bcp47: 'ko' },
  { id: 'Thai', bcp47: 'th' },
  { id: 'Russian', bcp47: 'ru' },
  { id: 'Spanish', bcp47: 'es' },
  { id: 'Portuguese', bcp47: 'pt' },
  { id: 'French', bcp47: 'fr' },
] as const;

export type LanguageId = (typeof languages)[number]['id'];
export type Bcp47 = (typeof languages)[number]['bcp47'];

/** Requests automatic language detection, if the engine supports it. */
export const autoLanguage = 'auto';
export type SpokenLanguage = Bcp47 | typeof autoLanguage;

/** Tags that imply Simplified Chinese. */
const aliases: ReadonlyMap<string, Bcp47> = new Map([
  ['zh', 'zh-Hans'],
  ['zh-cn', 'zh-Hans'],
]);

/**
 * Returns a language's BCP 47 tag, or undefined if it isn't one of the ten. Accepts an ID from the specification or a
 * BCP 47 tag, ignoring case.
 */
export function toBcp47(language: string): Bcp47 | undefined {
  const tag = language.toLowerCase();
  const knownLanguage = languages.find(
    ({ id, bcp47 }) => id.toLowerCase() === tag || bcp47.toLowerCase() === tag,
  );
  if (knownLanguage) return knownLanguage.bcp47;
  const alias = aliases.get(tag);
  if (alias) return alias;
  if (tag.startsWith('zh')) return tag.startsWith('zh-hans') ? 'zh-Hans' : undefined;
  const [primary] = tag.split('-');
  return languages.find(({ bcp47 }) => bcp47 === primary)?.bcp47;
}

/** Returns the stored form of a language, `auto` itself, or undefined if the language isn't supported. */
export function toSpokenLanguage(language: string): SpokenLanguage | undefined {
  return language === autoLanguage ? autoLanguage : toBcp47(language);
}

/** Returns the specification's ID for a stored language. */
export function toLanguageId(bcp47: Bcp47): LanguageId {
  const knownLanguage = languages.find((language) => language.bcp47 === bcp47);
  if (!knownLanguage) throw new RangeError(`unsupported language: ${bcp47}`);
  return knownLanguage.id;
}

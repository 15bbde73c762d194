import { primaryLanguage } from '../language.ts';
import { ar } from './ar.ts';
import { compilePattern, type LanguageData } from './data.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { pt } from './pt.ts';
import { ru } from './ru.ts';
import { th } from './th.ts';
import { zh } from './zh.ts';

const languages: Readonly<Record<string, LanguageData>> = {
  ar,
  en,
  es,
  fr,
  ja,
  ko,
  pt,
  ru,
  th,
  zh,
};

/** Data for unsupported languages: only question marks and currency signs. */
const unknown: LanguageData = {
  questions: { marked: true },
  numbers: { words: {}, multipliers: {}, separator: ' ' },
};

/** Returns a language's data by its BCP 47 tag. */
export function languageData(language: string): LanguageData {
  const primary = primaryLanguage(language);
  return (Object.hasOwn(languages, primary) && languages[primary]) || unknown;
}

const patterns = new Map<LanguageData, RegExp>();

/** Returns a pattern for words that express numbers, money and dates, which aren't topics. */
export function measureWordPattern(data: LanguageData): RegExp {
  const cached = patterns.get(data);
  if (cached) return cached;
  const { numbers, money, dates } = data;
  const words = [
    ...Object.keys(numbers.words),
    ...Object.keys(numbers.multipliers),
    ...(money?.currencies.map(({ word }) => word) ?? []),
    ...(dates ? [...dates.months, ...dates.weekdays] : []),
    ...(dates?.relative.map(([word]) => word) ?? []),
  ];
  const created = compilePattern(`^(?:${[String.raw`\d`, ...words].join('|')})+$`, '');
  patterns.set(data, created);
  return created;
}

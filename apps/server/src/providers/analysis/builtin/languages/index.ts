import { primaryLanguage } from '../language.ts';
import { ar } from './ar.ts';
import { type LanguageData, pattern } from './data.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { pt } from './pt.ts';
import { ru } from './ru.ts';
import { th } from './th.ts';
import { zh } from './zh.ts';

const all: Readonly<Record<string, LanguageData>> = { ar, en, es, fr, ja, ko, pt, ru, th, zh };

/** Data of unsupported languages: only question marks and signs. */
const unknown: LanguageData = {
  questions: { marked: true },
  numbers: { words: {}, multipliers: {}, joint: ' ' },
};

/** The cues of a language by its BCP-47 tag. */
export function languageData(language: string): LanguageData {
  const primary = primaryLanguage(language);
  return (Object.hasOwn(all, primary) && all[primary]) || unknown;
}

const measures = new Map<LanguageData, RegExp>();

/** Matches words of numbers, money and dates, which are not topics. */
export function measureWord(data: LanguageData): RegExp {
  const known = measures.get(data);
  if (known) return known;
  const { numbers, money, dates } = data;
  const words = [
    ...Object.keys(numbers.words),
    ...Object.keys(numbers.multipliers),
    ...(money?.currencies.map(({ word }) => word) ?? []),
    ...(dates ? [...dates.months, ...dates.weekdays] : []),
    ...(dates?.relative.map(([word]) => word) ?? []),
  ];
  const made = pattern(`^(?:${[String.raw`\d`, ...words].join('|')})+$`, '');
  measures.set(data, made);
  return made;
}

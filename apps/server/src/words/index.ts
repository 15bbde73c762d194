/** The texts that the server shows or emails to users, in all interface languages. */
import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import { ar } from './ar.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { pt } from './pt.ts';
import { ru } from './ru.ts';
import { th } from './th.ts';
import type { Words } from './words.ts';
import { zhHans } from './zh-Hans.ts';

export const words: Readonly<Record<InterfaceLanguage, Words>> = {
  en,
  'zh-Hans': zhHans,
  ar,
  ja,
  ko,
  th,
  ru,
  es,
  pt,
  fr,
};

/**
 * Fills in the placeholders of a message.
 * @throws RangeError if a value is missing
 */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) throw new RangeError(`no value for {${name}}`);
    return value;
  });
}

/** Returns a language's locale for Intl, with European digits as in the app. */
export function toLocale(language: InterfaceLanguage): string {
  return `${language}-u-nu-latn`;
}

type AnyForms = { readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** Fills in a number of minutes, using the plural form that it requires. */
export function fillMinutes(forms: AnyForms, minutes: number, language: InterfaceLanguage): string {
  return fillNumber(forms, 'minutes', minutes, language);
}

/** Fills in a number as `{count}`, using the plural form that it requires. */
export function fillCount(forms: AnyForms, count: number, language: InterfaceLanguage): string {
  return fillNumber(forms, 'count', count, language);
}

function fillNumber(
  forms: AnyForms,
  placeholder: string,
  value: number,
  language: InterfaceLanguage,
): string {
  const form = new Intl.PluralRules(language).select(value);
  const formatted = new Intl.NumberFormat(toLocale(language)).format(value);
  return fill(forms[form] ?? forms.other, { [placeholder]: formatted });
}

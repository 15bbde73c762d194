/** Tests the typography of everything users read. */
import { describe, expect, it } from 'vitest';
import { textsByLanguage } from './texts.ts';
import { untranslatedWords } from './untranslated-words.ts';

/** A typographic mistake: a pattern, and the correct form. */
type Mistake = readonly [pattern: RegExp, instead: string];

const han = '\\p{Script=Han}';
const kana = '\\p{Script=Hiragana}\\p{Script=Katakana}ー';

const mistakesOfAll: readonly Mistake[] = [
  [/\.\.\./, '…'],
  [/ {2}/, 'one space'],
  [/^\s|\s$/, 'no space around a text'],
  [/(?<=\p{L})'(?=\p{L})/u, 'a typographic apostrophe'],
];
const mistakes: Readonly<Record<string, readonly Mistake[]>> = {
  en: [
    [/"/, '“ ”'],
    [/\d %/, 'no space before %'],
    [
      /\b\w+(?:yse|isation|ise|ised|ising|our|ogue)\b(?<!\b(?:exercise|advertise|advertising|precise|otherwise|noise|raise|raised|advise|promise|rise|revise|revised|surprise|wise|your|our|hour|four|pour|tour|dialogue|supervise|likewise|enterprise)\b)/i,
      'US spelling',
    ],
  ],
  'zh-Hans': [
    [new RegExp(`[${han}][,;:?!]`, 'u'), 'full-width punctuation'],
    [new RegExp(`[${han}] (?:\\d|\\{\\{)|(?:\\d|\\}\\}) [${han}]`, 'u'), 'no space around numbers'],
    [/["“][^”]*"/, '“ ”'],
  ],
  ja: [
    [new RegExp(`[${han}${kana}][,;:?!]`, 'u'), 'full-width punctuation'],
    [
      new RegExp(`[${han}${kana}] (?:\\d|\\{\\{)|(?:\\d|\\}\\}) [${han}${kana}]`, 'u'),
      'no space around numbers',
    ],
    [/[“”"]/, '「 」'],
  ],
  ko: [[/"/, '“ ” or ‘ ’']],
  th: [[/"/, '“ ”']],
  ar: [
    [/\p{Script=Arabic}[,;?]/u, 'Arabic punctuation: ، ؛ ؟'],
    [/"/, '« »'],
  ],
  ru: [
    [/["“”]/, '« »'],
    [/ [—–]/, 'a no-break space before a dash'],
    [/ - /, 'a dash'],
  ],
  es: [
    [/(?:^|[.!?…:] )[^¿?]*\?/u, '¿ before a question'],
    [/(?:^|[.!?…:] )[^¡!]*!/u, '¡ before an exclamation'],
    [/["«»]/, '“ ”'],
  ],
  pt: [[/"/, '“ ”']],
  fr: [
    [/ [:;!?»%]/, 'a no-break space before : ; ! ? » %'],
    [/[^\s\u00a0\u202f][;!?»](?!\w)/u, 'a no-break space before ; ! ? »'],
    [/« |«[^\u00a0\u202f]/, 'a no-break space after «'],
    [/["“”]/, '« »'],
  ],
};

describe.each([...textsByLanguage])('typography of %s', (language, texts) => {
  it('has no mistakes', () => {
    const found: string[] = [];
    for (const [key, text] of texts) {
      for (const [pattern, instead] of [...mistakesOfAll, ...(mistakes[language] ?? [])]) {
        if (pattern.test(text)) found.push(`${key}: write ${instead}: “${text}”`);
      }
    }
    expect(found).toEqual([]);
  });
});

const allowedWords = new Set(untranslatedWords);

describe.each(['ar', 'ja', 'ko', 'ru', 'th', 'zh-Hans'])('English in %s', (language) => {
  it('is limited to names that are not translated', () => {
    const found: string[] = [];
    for (const [key, text] of textsByLanguage.get(language) ?? []) {
      // Placeholders, markup and email addresses.
      const prose = text.replaceAll(/\{+[^}]*\}+|<[^>]*>|\S+@\S+/gu, '');
      const words = prose.match(/(?<!\p{L})[A-Za-z]{2,}(?!\p{L})/gu) ?? [];
      const unknown = words.filter((word) => !allowedWords.has(word));
      if (unknown.length > 0) found.push(`${key}: ${unknown}: “${text}”`);
    }
    expect(found).toEqual([]);
  });
});

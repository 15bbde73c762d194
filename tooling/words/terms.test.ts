/**
 * Checks everything users read against the term list for its language, `apps/app/src/i18n/locales/<language>/terms.md`.
 *
 * A term list has one table, with the columns *English*, *Write*, *Never* and *Except*:
 * - *English*: a term in the English messages.
 * - *Write*: the term's translations, separated by commas. The translation of a message that contains the term must
 *   contain one of them. For inflected words, stems are enough. Empty if a term has no fixed translation.
 * - *Never*: forbidden words, separated by commas. A word followed by `*` is a stem.
 * - *Except*: keys of messages to which the row doesn't apply. A key that ends with `.` stands for all keys that begin
 *   with it.
 */
import { describe, expect, it } from 'vitest';
import { readTermList, type Texts, textsByLanguage } from './texts.ts';

type Term = {
  readonly english: string;
  readonly write: readonly string[];
  readonly never: readonly string[];
  readonly except: readonly string[];
};

/**
 * Languages that don't separate words with spaces, or that append particles to words. Here, terms match anywhere in a
 * message.
 */
const unseparated = new Set(['zh-Hans', 'ja', 'ko', 'th']);

function parseTerms(markdown: string): Term[] {
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => {
    const cells = row.split('|').slice(1, -1);
    const [english = '', write = '', never = '', except = ''] = cells.map((cell) => cell.trim());
    const list = (cell: string) =>
      cell
        .split(/[,،、]/)
        .map((item) => item.trim().replace(/^`|`$/g, ''))
        .filter((item) => item !== '');
    return { english, write: list(write), never: list(never), except: list(except) };
  });
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns a pattern that matches a word or, if it ends with `*`, all words that begin with this stem. */
function toPattern(word: string, language: string): RegExp {
  const isStem = word.endsWith('*');
  const text = escapePattern(isStem ? word.slice(0, -1) : word).replace(/ /g, '[ \\u00a0\\u202f]');
  if (unseparated.has(language)) return new RegExp(text, 'iu');
  return new RegExp(`(?<![\\p{L}\\p{M}])${text}${isStem ? '' : '(?![\\p{L}\\p{M}])'}`, 'iu');
}

const plural = /_(zero|one|two|few|many|other)$/;
const applies = (key: string, { except }: Term) =>
  !except.some((item) =>
    item.endsWith('.') ? key.startsWith(item) : key.replace(plural, '') === item,
  );

const english: Texts = textsByLanguage.get('en') ?? new Map();
const findOriginal = (key: string) =>
  english.get(key) ?? english.get(key.replace(plural, '_other')) ?? '';

describe.each([...textsByLanguage])('%s', (language, textsOfLanguage) => {
  const texts = [...textsOfLanguage];
  const terms = parseTerms(readTermList(language));

  it('has a term list', () => {
    expect(terms.length).toBeGreaterThan(20);
  });

  it('has no forbidden word', () => {
    const found: string[] = [];
    for (const term of terms) {
      for (const word of term.never) {
        const pattern = toPattern(word, language);
        for (const [key, text] of texts) {
          if (applies(key, term) && pattern.test(text)) found.push(`${key}: ${word} in “${text}”`);
        }
      }
    }
    expect(found).toEqual([]);
  });

  if (language !== 'en') {
    it('has one translation for each term', () => {
      const found: string[] = [];
      for (const term of terms) {
        if (term.write.length === 0) continue;
        // Names of variables, such as RECORDER_URLS, contain no terms.
        const original = new RegExp(
          `(?<![\\p{L}_-])${escapePattern(term.english)}(?:s|es)?(?![\\p{L}_-])`,
          'iu',
        );
        for (const [key, text] of texts) {
          if (!applies(key, term) || !original.test(findOriginal(key))) continue;
          const words = text.toLowerCase();
          if (!term.write.some((word) => words.includes(word.toLowerCase())))
            found.push(`${key}: ${term.english} is not ${term.write.join(' or ')} in “${text}”`);
        }
      }
      expect(found).toEqual([]);
    });
  }

  it('has exceptions for existing texts only', () => {
    const keys = texts.map(([key]) => key.replace(plural, ''));
    const staleExceptions = terms.flatMap(({ except }) =>
      except.filter((item) =>
        item.endsWith('.') ? !keys.some((key) => key.startsWith(item)) : !keys.includes(item),
      ),
    );
    expect(staleExceptions).toEqual([]);
  });
});

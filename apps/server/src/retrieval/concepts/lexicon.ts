import { readdirSync, readFileSync } from 'node:fs';
import { detectLanguages, primaryLanguage } from '../../providers/analysis/builtin/language.ts';
import {
  type Column,
  type ConceptMatch,
  createSpacedColumn,
  createUnspacedColumn,
  type Entry,
} from './column.ts';

/**
 * The lexicon of concepts: words of one meaning in ten languages. A paragraph that contains one of a concept's words is also
 * found by the others. The files are tables (TSV): a row per concept, a column per language, words separated by `|`. If
 * several files have a concept of the same name, it has the words of all of them.
 */

/** The languages of the columns, in order. Changing the words requires a new `passageFormat`. */
export const lexiconLanguages = [
  'en',
  'es',
  'fr',
  'pt',
  'ru',
  'ar',
  'ja',
  'ko',
  'th',
  'zh',
] as const;
type LexiconLanguage = (typeof lexiconLanguages)[number];
const isLexiconLanguage = (language: string): language is LexiconLanguage =>
  lexiconLanguages.some((each) => each === language);
const unspacedLanguages: ReadonlySet<string> = new Set(['ja', 'ko', 'th', 'zh']);
const latinLanguages: ReadonlySet<string> = new Set(['en', 'es', 'fr', 'pt']);

const folder = new URL('./', import.meta.url);

/** A row of the lexicon. */
interface Concept {
  readonly name: string;
  /** The words of each language, in the order of {@link lexiconLanguages}. */
  readonly words: readonly (readonly string[])[];
}

/** Reads the rows of all files. */
export function readConcepts(): Concept[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tsv'))
    .sort()
    .flatMap((name) => parseConcepts(readFileSync(new URL(name, folder), 'utf8')));
}

/**
 * Parses a file of the lexicon.
 * @throws SyntaxError if the columns are wrong
 */
export function parseConcepts(table: string): Concept[] {
  const [header = '', ...rows] = table.trimEnd().split('\n');
  if (header !== ['concept', ...lexiconLanguages].join('\t')) {
    throw new SyntaxError(`wrong columns: ${header}`);
  }
  return rows.map((row) => {
    const [name = '', ...cells] = row.split('\t');
    if (cells.length !== lexiconLanguages.length) throw new SyntaxError(`wrong row: ${row}`);
    return { name, words: cells.map((cell) => cell.split('|')) };
  });
}

/** Finds the concepts that texts contain. */
interface Lexicon {
  /**
   * Returns the occurrences of concepts.
   * @param languages the languages that the text may be in, as language tags. If there are none, they are detected. A word
   *   only matches in its own language, because "pain" isn't bread in English.
   */
  find(text: string, languages: readonly string[]): ConceptMatch[];
}

export function createLexicon(concepts: readonly Concept[]): Lexicon {
  const columns = new Map<LexiconLanguage, Column>();
  /** Returns the column of a language, which is created on first use, because that takes a while. */
  function getColumn(language: LexiconLanguage): Column {
    const cached = columns.get(language);
    if (cached) return cached;
    const index = lexiconLanguages.indexOf(language);
    const entries = concepts.flatMap(({ name, words }) =>
      (words[index] ?? []).map(
        (word): Entry => ({ concept: name, word: word.normalize('NFC').toLowerCase() }),
      ),
    );
    const create = unspacedLanguages.has(language) ? createUnspacedColumn : createSpacedColumn;
    const column = create(language, entries);
    columns.set(language, column);
    return column;
  }
  return {
    find(text, languages) {
      const givenLanguages = languages.filter((tag) => tag !== '').map(primaryLanguage);
      const textLanguages = (
        givenLanguages.length > 0 ? givenLanguages : detectLanguages(text)
      ).filter(isLexiconLanguage);
      // Texts in other scripts may contain English words.
      const isLatin =
        textLanguages.length === 0 ||
        textLanguages.some((language) => latinLanguages.has(language));
      const searched = new Set(isLatin ? textLanguages : [...textLanguages, 'en' as const]);
      const normalized = text.normalize('NFC').toLowerCase();
      return [...searched].flatMap((language) => getColumn(language).find(normalized));
    },
  };
}

let lexicon: Lexicon | undefined;

/** Returns the occurrences of concepts in a text. The first call reads the lexicon. See {@link Lexicon.find}. */
export function findConcepts(text: string, languages: readonly string[]): ConceptMatch[] {
  lexicon ??= createLexicon(readConcepts());
  return lexicon.find(text, languages);
}

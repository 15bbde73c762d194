/**
 * Adds a vocabulary to the engine's dictionary. The language model can't be extended, so each entry is added as an
 * alternative pronunciation of a few common names: wherever the model expects "Smith", it also accepts "Okonkwo".
 */
import { fold } from '@linnet/contract/folding';
import { pronounceWords } from './pronunciation.ts';

/** A given name, a family name and a place, which are common in the language model. */
const COMMON_NAMES = ['john', 'smith', 'boston'] as const;
/** Number of the first added pronunciation. Existing variants have a single digit: `read(2)`. */
const FIRST_NUMBER = 1000;
/** Maximum number of pronunciations of an entry. */
const MAX_PRONUNCIATIONS = 4;

export interface VocabularyDictionary {
  /** The complete dictionary. */
  readonly text: string;
  /** Entries by the engine's name for their pronunciation: `smith(1000)`. */
  readonly entries: ReadonlyMap<string, string>;
}

/**
 * Returns the dictionary with the vocabulary. Entries that can't be pronounced in English, such as numbers and words in
 * other scripts, are omitted.
 */
export function extendDictionary(
  dictionary: string,
  vocabulary: readonly string[],
): VocabularyDictionary {
  const spelled = vocabulary.map((entry) => ({ entry, words: splitWords(entry) }));
  const requested = spelled.flatMap(({ words }) => words ?? []);
  const pronunciations = pronounceWords(dictionary, requested);
  const lines: string[] = [];
  const entries = new Map<string, string>();
  let number = FIRST_NUMBER;
  const add = (base: string, phonemes: string, entry: string) => {
    lines.push(`${base}(${number}) ${phonemes}\n`);
    entries.set(`${base}(${number})`, entry);
    number += 1;
  };
  for (const { entry, words } of spelled) {
    if (!words) continue;
    for (const phonemes of joinPronunciations(
      words.map((word) => pronunciations.get(word) ?? []),
    )) {
      for (const name of COMMON_NAMES) {
        add(name, phonemes, entry);
        add(`${name}'s`, `${phonemes} ${toPossessive(phonemes)}`, `${entry}'s`);
      }
    }
  }
  const end = dictionary === '' || dictionary.endsWith('\n') ? '' : '\n';
  return { text: `${dictionary}${end}${lines.join('')}`, entries };
}

/** Returns an entry's words in the dictionary's spelling, or null if it contains anything but Latin letters. */
function splitWords(entry: string): string[] | null {
  const words = fold(entry)
    .split(/[\s\-.&]+/)
    .map((word) => word.replaceAll("'", ''))
    .filter((word) => word !== '');
  return words.length > 0 && words.every((word) => /^[a-z]+$/.test(word)) ? words : null;
}

function joinPronunciations(words: readonly (readonly string[])[]): string[] {
  return words.reduce<string[]>(
    (joined, pronunciations) =>
      joined
        .flatMap((start) => pronunciations.map((phonemes) => `${start} ${phonemes}`.trim()))
        .slice(0, MAX_PRONUNCIATIONS),
    [''],
  );
}

/** Returns the phonemes of "'s" after a pronunciation. */
function toPossessive(phonemes: string): string {
  const last = phonemes.split(' ').at(-1) ?? '';
  if (['S', 'Z', 'SH', 'ZH', 'CH', 'JH'].includes(last)) return 'IH Z';
  return ['P', 'T', 'K', 'F', 'TH'].includes(last) ? 'S' : 'Z';
}

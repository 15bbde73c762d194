/**
 * Looks up pronunciations in the engine's dictionary, and derives pronunciations of unknown words by analogy with the
 * words in it.
 */

/** Pronunciations by word. A pronunciation is a list of phonemes, separated by spaces. */
export type Pronunciations = ReadonlyMap<string, readonly string[]>;

/** Maximum number of pronunciations of an unknown word. Each additional pronunciation makes the engine slower. */
const MAX_GUESSES = 4;
/** Minimum share of the votes on a letter for an additional pronunciation. */
const MIN_SHARE = 0.25;
/** Minimum number of votes on the phonemes of a letter. Letters in the most similar contexts vote first. */
const MIN_VOTES = 5;
/** Maximum number of unknown words to pronounce, because each letter is compared with the whole dictionary. */
const MAX_UNKNOWN_WORDS = 200;
/** Maximum length of an unknown word to pronounce. */
const MAX_UNKNOWN_LETTERS = 24;

/** Phonemes that a letter represents, most common first. Each string is a group of one or two phonemes. */
const LETTER_PHONEMES: Readonly<Record<string, readonly string[]>> = {
  a: ['AE', 'AH', 'EY', 'AA', 'AO', 'EH', 'IH'],
  b: ['B'],
  c: ['K', 'S', 'CH', 'SH'],
  d: ['D', 'T', 'JH'],
  e: ['EH', 'IY', 'AH', 'IH', 'EY'],
  f: ['F', 'V'],
  g: ['G', 'JH', 'ZH', 'F'],
  h: ['HH'],
  i: ['IH', 'AY', 'IY', 'AH', 'Y'],
  j: ['JH', 'Y', 'ZH', 'HH'],
  k: ['K'],
  l: ['L', 'AH L'],
  m: ['M', 'AH M'],
  n: ['N', 'NG', 'AH N'],
  o: ['AA', 'OW', 'AH', 'AO', 'UW', 'UH', 'AW', 'OY', 'W AH'],
  p: ['P', 'F'],
  q: ['K'],
  r: ['R', 'ER'],
  s: ['S', 'Z', 'SH', 'ZH'],
  t: ['T', 'TH', 'SH', 'CH', 'DH'],
  u: ['AH', 'UW', 'UH', 'Y UW', 'Y UH', 'W', 'IH'],
  v: ['V', 'F'],
  w: ['W', 'V'],
  x: ['K S', 'G Z', 'Z', 'K SH'],
  y: ['IY', 'Y', 'AY', 'IH'],
  z: ['Z', 'S', 'T S', 'ZH'],
};
/** Cost of aligning a letter with no phoneme. */
const SILENT_COST = 1;
/** Cost of aligning a double letter, or a letter of `OFTEN_SILENT`, with no phoneme. */
const OFTEN_SILENT_COST = 0.5;
/** Cost per phoneme of aligning a letter with phonemes that it rarely represents. */
const UNUSUAL_COST = 3;
const OFTEN_SILENT = 'eghuw';

/**
 * Returns the pronunciations of words of lowercase letters a to z. Pronunciations of words that aren't in the
 * dictionary are derived up to `MAX_UNKNOWN_WORDS` and `MAX_UNKNOWN_LETTERS`.
 * @param dictionary lines of a word and its phonemes: `read R EH D`, `read(2) R IY D`
 */
export function pronounceWords(dictionary: string, words: readonly string[]): Pronunciations {
  const requested = new Set(words);
  const found = new Map<string, string[]>();
  const entries: Entry[] = [];
  for (const line of dictionary.split('\n')) {
    const space = line.indexOf(' ');
    if (space < 0) continue;
    const word = line.slice(0, space).replace(/\(\d+\)$/, '');
    const phonemes = line.slice(space + 1).trim();
    if (requested.has(word)) found.set(word, [...(found.get(word) ?? []), phonemes]);
    if (/^[a-z]+$/.test(word)) entries.push({ word, phonemes });
  }
  const unknown = [...requested]
    .filter((word) => !found.has(word) && word.length <= MAX_UNKNOWN_LETTERS)
    .slice(0, MAX_UNKNOWN_WORDS);
  return new Map([...found, ...pronounceByAnalogy(entries, unknown)]);
}

interface Entry {
  readonly word: string;
  readonly phonemes: string;
}
/** A letter of an unknown word, with matching letters of dictionary words that have similar neighbors. */
interface Letter {
  readonly padded: string;
  readonly at: number;
  /** The matching letters that vote, by number of equal neighbors. */
  readonly matches: Map<number, Match[]>;
  /** Minimum number of equal neighbors of a letter that votes. */
  minSame: number;
}
interface Match {
  readonly entry: Entry;
  readonly at: number;
}

function pronounceByAnalogy(entries: readonly Entry[], words: readonly string[]) {
  if (words.length === 0) return [];
  const letters = words.map((word) => toLetters(word));
  const byContext = Map.groupBy(letters.flat(), ({ padded, at }) => padded.slice(at - 1, at + 2));
  for (const entry of entries) {
    const padded = `^${entry.word}$`;
    for (let index = 1; index < padded.length - 1; index += 1) {
      for (const letter of byContext.get(padded.slice(index - 1, index + 2)) ?? []) {
        addMatch(letter, countSameNeighbors(letter, padded, index), { entry, at: index - 1 });
      }
    }
  }
  const aligned = new Map<Entry, string[]>();
  const align = (entry: Entry) => {
    const alignedGroups = aligned.get(entry);
    if (alignedGroups) return alignedGroups;
    const groups = alignPhonemes(entry.word, entry.phonemes.split(' '));
    aligned.set(entry, groups);
    return groups;
  };
  return words.map((word, index) => {
    const choices = (letters[index] as Letter[]).map((letter) => choicesFor(letter, align));
    return [word, combineChoices(choices)] as const;
  });
}

function toLetters(word: string): Letter[] {
  const padded = `^${word}$`;
  return Array.from(word, (_, index) => ({
    padded,
    at: index + 1,
    matches: new Map(),
    minSame: 0,
  }));
}

/** Adds a match, unless closer matches have enough votes, and removes matches that become superfluous. */
function addMatch(letter: Letter, sameNeighbors: number, match: Match): void {
  if (sameNeighbors < letter.minSame) return;
  const { matches } = letter;
  const equals = matches.get(sameNeighbors);
  if (equals) equals.push(match);
  else matches.set(sameNeighbors, [match]);
  // This level already had enough votes.
  if (equals && equals.length > MIN_VOTES) return;
  let count = 0;
  for (const level of [...matches.keys()].sort((a, b) => b - a)) {
    if (count >= MIN_VOTES) matches.delete(level);
    else letter.minSame = level;
    count += matches.get(level)?.length ?? 0;
  }
  if (count < MIN_VOTES) letter.minSame = 0;
}

function countSameNeighbors({ padded, at }: Letter, other: string, otherAt: number): number {
  let before = 1;
  while (at - before >= 0 && padded[at - before] === other[otherAt - before]) before += 1;
  let after = 1;
  while (at + after < padded.length && padded[at + after] === other[otherAt + after]) after += 1;
  return before + after - 2;
}

/** Possible phonemes of a letter with their shares of the votes. */
type Choices = readonly { readonly phonemes: string; readonly share: number }[];

function choicesFor(letter: Letter, align: (entry: Entry) => readonly string[]): Choices {
  const votes = new Map<string, number>();
  let total = 0;
  for (const [same, matches] of [...letter.matches].sort(([a], [b]) => b - a)) {
    // Each additional neighbor in common doubles the weight of a vote.
    const weight = 2 ** same;
    for (const { entry, at: index } of matches) {
      const phonemes = align(entry)[index] as string;
      votes.set(phonemes, (votes.get(phonemes) ?? 0) + weight);
      total += weight;
    }
  }
  const usual = LETTER_PHONEMES[letter.padded[letter.at] as string]?.[0] ?? '';
  if (total === 0) return [{ phonemes: usual, share: 1 }];
  const choices = Array.from(votes, ([phonemes, sum]) => ({ phonemes, share: sum / total }));
  choices.sort((a, b) => b.share - a.share);
  return choices.filter(({ share }, index) => index === 0 || share >= MIN_SHARE);
}

/** Returns the most likely combinations. */
function combineChoices(letters: readonly Choices[]): string[] {
  let combined = [{ phonemes: '', share: 1 }];
  for (const choices of letters) {
    combined = combined
      .flatMap((start) =>
        choices.map(({ phonemes, share }) => ({
          phonemes: `${start.phonemes} ${phonemes}`.trim(),
          share: start.share * share,
        })),
      )
      .sort((a, b) => b.share - a.share)
      .slice(0, MAX_GUESSES * 4);
  }
  const distinct = new Set(combined.map(({ phonemes }) => phonemes));
  return [...distinct].filter((phonemes) => phonemes !== '').slice(0, MAX_GUESSES);
}

/** Divides phonemes among the letters of a word: one group of none, one or two per letter. */
function alignPhonemes(word: string, phonemes: readonly string[]): string[] {
  const width = phonemes.length + 1;
  const costs = [0, ...Array<number>(phonemes.length).fill(Infinity)];
  const steps: number[][] = [];
  for (const [index, letter] of Array.from(word).entries()) {
    const previous = costs.slice();
    steps.push(Array<number>(width).fill(0));
    for (let end = 0; end < width; end += 1) {
      costs[end] = Infinity;
      for (const size of [1, 0, 2]) {
        const before = previous[end - size];
        if (before === undefined) continue;
        const group = phonemes.slice(end - size, end).join(' ');
        const cost = before + groupCost(letter, word[index - 1], group);
        if (cost < (costs[end] as number)) {
          costs[end] = cost;
          (steps[index] as number[])[end] = size;
        }
      }
    }
  }
  const groups: string[] = [];
  let end = phonemes.length;
  for (const sizes of steps.toReversed()) {
    const size = sizes[end] as number;
    groups.unshift(phonemes.slice(end - size, end).join(' '));
    end -= size;
  }
  return groups;
}

function groupCost(letter: string, previous: string | undefined, group: string): number {
  if (group === '') {
    return letter === previous || OFTEN_SILENT.includes(letter) ? OFTEN_SILENT_COST : SILENT_COST;
  }
  return LETTER_PHONEMES[letter]?.includes(group) ? 0 : UNUSUAL_COST * group.split(' ').length;
}

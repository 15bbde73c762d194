/** Restores English capitals and question marks in lowercase text. */

/** Words that are always capitalized. `march` and `may` are omitted because they are common words too. */
const PROPER_NOUNS = new Set(
  (
    'monday tuesday wednesday thursday friday saturday sunday ' +
    'january february april june july august september october november december'
  ).split(' '),
);

/** Capitalizes a word within a sentence where English requires it: `i'm` → `I'm`, `friday` → `Friday`. */
export function spellEnglish(word: string): string {
  if (/^i('|$)/.test(word)) return `I${word.slice(1)}`;
  const stem = word.endsWith("'s") ? word.slice(0, -2) : word;
  return PROPER_NOUNS.has(stem) ? capitalize(word) : word;
}

export function capitalize(word: string): string {
  const [first = ''] = word;
  return first.toUpperCase() + word.slice(first.length);
}

const toWordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const AUXILIARIES = toWordSet(
  'am is are was were do does did have has can could will would shall should may might must ' +
    "isn't aren't wasn't weren't don't doesn't didn't haven't hasn't can't couldn't won't wouldn't shouldn't",
);
const BE = toWordSet('is are was were');
const PRONOUNS = toWordSet(
  'i you he she it we they this that these those there anyone anybody someone everybody everyone',
);
const DETERMINERS = toWordSet('the a an my your his her its our their');
/**
 * Verbs that can also start a command ("do the dishes", "have a seat"). They start a question only if a pronoun
 * follows.
 */
const COMMAND_VERBS = toWordSet('do have');
const QUESTION_WORDS = toWordSet('who whom whose what which when where why how');
const MEASURES = toWordSet('many much long often far soon big old');
/** Words that may come before a question without changing it. */
const LEAD_INS = toWordSet('and but so or well now okay ok then also');

/**
 * Returns whether a sentence (lowercase words without punctuation) has the word order of a direct question. Ambiguous
 * word orders don't count: "when we arrive call me", "what I need is time" and "have a nice day" aren't questions.
 */
export function isEnglishQuestion(sentence: readonly string[]): boolean {
  let start = 0;
  while (LEAD_INS.has(sentence[start] ?? '')) start += 1;
  const words = sentence.slice(start);
  const [first, second, third] = words;
  if (first === undefined || second === undefined || third === undefined) return false;
  if (AUXILIARIES.has(first)) {
    if (first === 'should' && second === 'you') return false; // For example "should you need me, call".
    return PRONOUNS.has(second) || (DETERMINERS.has(second) && !COMMAND_VERBS.has(first));
  }
  if (/^(what|where|who|when|how)'s$/.test(first)) {
    return PRONOUNS.has(second) || DETERMINERS.has(second);
  }
  if (!QUESTION_WORDS.has(first)) return false;
  if (AUXILIARIES.has(second)) {
    if (first === 'which' || first === 'whose') return false; // Otherwise it is usually a relative clause.
    if (first === 'who' || PRONOUNS.has(third)) return true;
    return !words.slice(3).some((word) => BE.has(word)); // "what is new is the price"
  }
  // "how long does it take", "how many people are coming", "which of them can we drop"
  const auxiliary = words.findIndex((word) => AUXILIARIES.has(word));
  if (auxiliary < 0 || words.slice(1, auxiliary).some((word) => PRONOUNS.has(word))) return false;
  if (first === 'how' && MEASURES.has(second)) return true;
  const nextWord = words[auxiliary + 1] ?? '';
  return (
    (first === 'what' || first === 'which') && (PRONOUNS.has(nextWord) || DETERMINERS.has(nextWord))
  );
}

/** English spelling that can be restored from lower-case words alone. */

/** Always capitalised in English. `march` and `may` are left out: they are common words too. */
const PROPER = new Set(
  (
    'monday tuesday wednesday thursday friday saturday sunday ' +
    'january february april june july august september october november december'
  ).split(' '),
);

/** A word as English writes it inside a sentence: `i'm` → `I'm`, `friday` → `Friday`. */
export function spellEnglish(word: string): string {
  if (/^i('|$)/.test(word)) return `I${word.slice(1)}`;
  const stem = word.endsWith("'s") ? word.slice(0, -2) : word;
  return PROPER.has(stem) ? capitalise(word) : word;
}

export function capitalise(word: string): string {
  const [first = ''] = word;
  return first.toUpperCase() + word.slice(first.length);
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const AUXILIARIES = set(
  'am is are was were do does did have has can could will would shall should may might must ' +
    "isn't aren't wasn't weren't don't doesn't didn't haven't hasn't can't couldn't won't wouldn't shouldn't",
);
const BE = set('is are was were');
const PRONOUNS = set(
  'i you he she it we they this that these those there anyone anybody someone everybody everyone',
);
const DETERMINERS = set('the a an my your his her its our their');
/** These begin commands too ("do the dishes", "have a seat"), so only a pronoun after them asks. */
const ALSO_COMMANDS = set('do have');
const QUESTION_WORDS = set('who whom whose what which when where why how');
const MEASURES = set('many much long often far soon big old');
/** Words that may stand before a question without changing it. */
const LEAD_INS = set('and but so or well now okay ok then also');

/**
 * Whether a sentence (its words in lower case, without punctuation) has the
 * word order of a direct question. Order alone decides, and doubtful orders
 * are not taken: "when we arrive call me", "what I need is time" and "have a
 * nice day" are no questions.
 */
export function isEnglishQuestion(sentence: readonly string[]): boolean {
  let start = 0;
  while (LEAD_INS.has(sentence[start] ?? '')) start += 1;
  const words = sentence.slice(start);
  const [first, second, third] = words;
  if (first === undefined || second === undefined || third === undefined) return false;
  if (AUXILIARIES.has(first)) {
    if (first === 'should' && second === 'you') return false; // "should you need me, call"
    return PRONOUNS.has(second) || (DETERMINERS.has(second) && !ALSO_COMMANDS.has(first));
  }
  if (/^(what|where|who|when|how)'s$/.test(first)) {
    return PRONOUNS.has(second) || DETERMINERS.has(second);
  }
  if (!QUESTION_WORDS.has(first)) return false;
  if (AUXILIARIES.has(second)) {
    if (first === 'which' || first === 'whose') return false; // mostly relative clauses
    if (first === 'who' || PRONOUNS.has(third)) return true;
    return !words.slice(3).some((word) => BE.has(word)); // "what is new is the price"
  }
  // "how long does it take", "how many people are coming", "which of them can we drop"
  const auxiliary = words.findIndex((word) => AUXILIARIES.has(word));
  if (auxiliary < 0 || words.slice(1, auxiliary).some((word) => PRONOUNS.has(word))) return false;
  if (first === 'how' && MEASURES.has(second)) return true;
  const after = words[auxiliary + 1] ?? '';
  return (first === 'what' || first === 'which') && (PRONOUNS.has(after) || DETERMINERS.has(after));
}

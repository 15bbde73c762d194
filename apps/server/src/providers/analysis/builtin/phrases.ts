/** Finds phrases that name a subject: topic words and the function words that link them, as spoken. */
import { primaryLanguage } from './language.ts';
import type { Sentence, SpokenWord } from './sentences.ts';
import { stem } from './stem.ts';

/** Maximum number of characters in a phrase. */
const MAX_LENGTH = 44;
/** Maximum number of topic words in a phrase. */
const MAX_TOPIC_WORDS = 4;
/** Length normalization of a phrase's score, between the sum (0) and the mean (1) of its words' scores. */
const LENGTH_EXPONENT = 0.85;
/** Maximum number of consecutive words that link two runs of topic words: "in the". */
const MAX_LINKS = 2;

/** Words that may link the parts of a name ("the price of the tent"), by language. */
const LINKS: Readonly<Record<string, string>> = {
  ar: 'في من على عن مع إلى',
  en: 'of for in on at to with and the a an our behind near next',
  es: 'de del la el los las en para con por y a al un una',
  fr: 'de du des la le les à au aux en pour avec et sur un une',
  ja: 'の と',
  pt: 'de do da dos das no na nos nas em para com por e ao à um uma',
  ru: 'в на для с со о об по и из у к',
  th: 'ของ ใน และ กับ',
  zh: '的 和 与',
};

const linksByLanguage = new Map(
  Object.entries(LINKS).map(([language, words]) => [language, new Set(words.split(' '))]),
);

/** A phrase as spoken, its topic words, and its offset in the sentence. */
interface Phrase {
  readonly text: string;
  readonly topics: readonly string[];
  readonly from: number;
}

/** A sentence that announces a subject, and the offset of the subject's name. */
export interface Announcement {
  readonly sentence: Sentence;
  readonly from: number;
}

/** Returns the phrases in a sentence. */
function findPhrases(sentence: Sentence, language: string): Phrase[] {
  const links = linksByLanguage.get(primaryLanguage(language)) ?? new Set<string>();
  const phrases: Phrase[] = [];
  for (const clause of sentence.clauses) {
    for (const [start, first] of clause.entries()) {
      // A phrase starts with the first topic word of a run.
      if (first.topic === null || clause[start - 1]?.topic) continue;
      phrases.push(...phrasesFrom(clause.slice(start), links, sentence.text));
    }
  }
  return phrases;
}

/**
 * Returns the phrases that start with the first word. They may end with the last topic word of the first run, or with
 * any topic word after a link.
 */
function phrasesFrom(
  words: readonly SpokenWord[],
  links: ReadonlySet<string>,
  text: string,
): Phrase[] {
  const phrases: Phrase[] = [];
  const topics: string[] = [];
  let linkCount = 0;
  let hasLink = false;
  const start = words[0]?.from ?? 0;
  for (const [index, { topic, text: word, from }] of words.entries()) {
    if (topic === null) {
      linkCount += 1;
      hasLink = true;
      if (linkCount > MAX_LINKS || !links.has(word)) break;
      continue;
    }
    linkCount = 0;
    topics.push(topic);
    // Omit a particle at the end of the last word.
    const end = from + (word.startsWith(topic) ? topic : word).length;
    if (topics.length > MAX_TOPIC_WORDS || end - start > MAX_LENGTH) break;
    const isWholeRun = !words[index + 1]?.topic;
    if (isWholeRun || hasLink)
      phrases.push({ text: text.slice(start, end), topics: [...topics], from: start });
  }
  return phrases;
}

/** Score factors of a phrase announced as the subject, depending on whether it is repeated. */
const ANNOUNCEMENT_GAIN = { repeated: 8, single: 5 };
/** Score factor of a phrase with several words. */
const PHRASE_GAIN = 2;
/** Score divisor of words that address a person, or are exclamations. */
const CALL_LOSS = 8;
/** Score factor of a phrase if one of its words is repeated. */
const REPETITION_GAIN = 2;

/**
 * Returns the phrase that best represents some sentences: its topic words are frequent in these sentences, and more
 * frequent than elsewhere. Phrases of several words are preferred.
 * @param everywhere frequency of each topic word in the entire transcript
 * @returns null if the sentences contain no topic words
 */
export function representativePhrase(
  sentences: readonly Sentence[],
  everywhere: ReadonlyMap<string, number>,
  { language, announcement }: { language: string; announcement?: Announcement | undefined },
): string | null {
  const topicCounts = countTopics(sentences);
  const stems = countStems(topicCounts);
  const calls = wordsAlone(sentences);
  const getWeight = (word: string) => {
    const count = topicCounts.get(word) ?? 0;
    return Math.log2(1 + count) * Math.sqrt(count / (everywhere.get(word) ?? count));
  };
  const scores = new Map<string, number>();
  const spelling = new Map<string, string>();
  for (const sentence of sentences) {
    const isAnnouncement = sentence === announcement?.sentence;
    for (const { text, topics, from } of findPhrases(sentence, language)) {
      if (isAnnouncement && from < announcement.from) continue;
      const words = [...new Set(topics)];
      const sum = words.reduce((total, word) => total + getWeight(word), 0);
      let score = sum / words.length ** LENGTH_EXPONENT;
      if (words.length > 1) score *= PHRASE_GAIN;
      const isRepeated = words.some((word) => (stems.get(stem(word)) ?? 0) > 1);
      if (isRepeated) score *= REPETITION_GAIN;
      if (isAnnouncement) score *= ANNOUNCEMENT_GAIN[isRepeated ? 'repeated' : 'single'];
      else if (words.every((word) => calls.has(word))) score /= CALL_LOSS;
      const key = text.toLowerCase();
      // Every mention after the first adds half of the phrase's score.
      scores.set(key, (scores.get(key) ?? score / 2) + score / 2);
      if (!spelling.has(key)) spelling.set(key, text);
    }
  }
  // The earliest phrase wins a tie.
  const [best] = [...scores].sort((a, b) => b[1] - a[1]);
  return best ? (spelling.get(best[0]) ?? null) : null;
}

/** Returns the words that stand alone between punctuation: forms of address and exclamations. */
function wordsAlone(sentences: readonly Sentence[]): Set<string> {
  const clauses = sentences.flatMap((sentence) => sentence.clauses);
  return new Set(
    clauses.flatMap(([first, ...rest]) => (first?.topic && rest.length === 0 ? [first.topic] : [])),
  );
}

/** Sums the counts of the words that share a stem. */
function countStems(words: ReadonlyMap<string, number>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word, count] of words) counts.set(stem(word), (counts.get(stem(word)) ?? 0) + count);
  return counts;
}

/** Counts the occurrences of each topic word. */
export function countTopics(sentences: readonly Sentence[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of sentences.flatMap(({ runs }) => runs.flat())) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

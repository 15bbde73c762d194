/** Selects the sentences of the summary and of the brief. */
import { wordJoiner } from '../../../transcript/paragraphs.ts';
import { shorten } from '../shorten.ts';
import { primaryLanguage } from './language.ts';
import type { SentenceWeight } from './note-weights.ts';
import { chooseSentences } from './ranking.ts';
import type { Sentence } from './sentences.ts';
import type { Topic } from './topics.ts';

const MAX_SUMMARY_SENTENCES = 10;
/** The summary has one sentence per this many spoken sentences. */
const SENTENCES_PER_POINT = 5;
const MIN_SUMMARY_SENTENCES = 3;
/** Maximum number of sentences and characters in a brief. */
const BRIEF = { sentences: 4, length: 320 };
/** Minimum number of words in a meaningful sentence, or of letters in scripts without spaces. */
const COMPLETE_LENGTHS = { words: 5, letters: 9, thaiLetters: 20 };
/** Added to the rank of a decision, or a sentence with an amount or date. The mean rank is 1. */
const FACT_GAIN = 0.6;

/** First words of sentences that depend on the previous sentence: pronouns, conjunctions and interjections. */
const DEPENDENT_WORDS = new Set(
  (
    'they he she it this that these those but and so because or well yeah yes no nope okay ok right oh then also still sure fine exactly true same ' +
    'esto eso esta este ese esa ella él ellos ellas pero y o pues bueno sí no vale entonces claro además ya aunque eh también ' +
    'isso isto este esse essa ele ela eles elas mas e ou então bom sim não tá claro é pois também já ' +
    'il elle ils elles ce ça cela mais et ou donc alors bon oui non bah ah enfin ben car voilà c’est aussi ' +
    'он она они оно это но и а или ну да нет так вот тогда там потом ладно тоже зато ' +
    'هو هي هم هذا هذه ذلك تلك لكن ولكن أو نعم لا طيب إذن يعني حسنا تمام لأن ' +
    '那 这 他 她 它 它们 他们 但 但是 所以 好 对 行 嗯 是 不 也 就 不过 因为 而且 可是 ' +
    'それ これ あれ でも だから はい いや うん そう じゃあ では ただ しかし そこ ああ ええ ' +
    '그 그건 그거 그게 그래서 하지만 네 아니 예 근데 그럼 그런데 그리고 이건 저도 맞아요 ' +
    'แต่ ก็ มัน เขา นั่น นี่ ได้ ครับ ค่ะ ใช่ แล้ว เพราะ หรือ'
  ).split(' '),
);

/** The sentences that a selection prefers or avoids. */
export interface Preferences {
  /** Questions, which state no facts. */
  readonly questions: ReadonlySet<Sentence>;
  /** Decisions, and sentences with amounts or dates. */
  readonly facts: ReadonlySet<Sentence>;
  /** The weight of the user's notes. */
  readonly getWeight: SentenceWeight;
}

/**
 * Selects the sentences for the summary: from each topic in proportion to its length, but at least one. If there are
 * more topics than sentences, selects from the entire transcript.
 */
export function choosePoints(
  sentences: readonly Sentence[],
  topics: readonly Topic[],
  preferences: Preferences,
): Sentence[] {
  const count = Math.max(
    MIN_SUMMARY_SENTENCES,
    Math.min(MAX_SUMMARY_SENTENCES, Math.ceil(sentences.length / SENTENCES_PER_POINT)),
  );
  if (topics.length < 2 || topics.length > count) return choose(sentences, count, preferences);
  const exact = topics.map((topic) => (count * topic.sentences.length) / sentences.length);
  const counts = exact.map((share) => Math.max(1, Math.floor(share)));
  // Assign the sentences left over after rounding down to the topics with the largest remainders (Hamilton's method).
  const byRemainder = [...exact.keys()].sort(
    (a, b) => (exact[b] ?? 0) - (counts[b] ?? 0) - ((exact[a] ?? 0) - (counts[a] ?? 0)) || a - b,
  );
  const remainder = count - counts.reduce((sum, each) => sum + each, 0);
  for (const index of byRemainder.slice(0, Math.max(0, remainder)))
    counts[index] = (counts[index] ?? 0) + 1;
  return topics.flatMap((topic, index) => choose(topic.sentences, counts[index] ?? 1, preferences));
}

/** Selects sentences. If enough of them can be understood without the previous sentence, selects only from those. */
function choose(
  sentences: readonly Sentence[],
  count: number,
  { questions, facts, getWeight }: Preferences,
): Sentence[] {
  const complete = sentences.filter((sentence) => !questions.has(sentence) && isComplete(sentence));
  return chooseSentences(
    complete.length >= count ? complete : sentences,
    count,
    (sentence) => getWeight(sentence) + (facts.has(sentence) ? FACT_GAIN : 0),
  );
}

/**
 * Returns whether a sentence is long enough to be meaningful, isn't a question, and doesn't start with a reference to
 * another sentence.
 */
function isComplete({ text, words }: Sentence): boolean {
  const [first = ''] = words;
  if (DEPENDENT_WORDS.has(first) || DEPENDENT_WORDS.has(first.split(/['’]/u)[0] ?? first))
    return false;
  if (/[?？؟]["'”»)\]]*$/u.test(text)) return false;
  const letters = text.replace(/\P{L}/gu, '').length;
  if (/\p{Script=Thai}/u.test(text)) return letters >= COMPLETE_LENGTHS.thaiLetters;
  return text.includes(' ')
    ? words.length >= COMPLETE_LENGTHS.words
    : letters >= COMPLETE_LENGTHS.letters;
}

/** Returns two to four of the summary's sentences as a paragraph: the best of each topic, in order. */
export function createBrief(
  sentences: readonly Sentence[],
  points: readonly Sentence[],
  topics: readonly Topic[],
  language: string,
): string {
  const bestPoints = topics.flatMap((topic) => {
    const included = new Set(topic.sentences);
    return chooseSentences(
      points.filter((point) => included.has(point)),
      1,
    );
  });
  const ranked = [
    ...new Set([
      ...chooseSentences(bestPoints, BRIEF.sentences),
      ...chooseSentences(points, BRIEF.sentences),
    ]),
  ];
  const chosen = new Set<Sentence>();
  let length = 0;
  for (const sentence of ranked) {
    if (chosen.size === BRIEF.sentences) break;
    if (length + sentence.text.length + 1 > BRIEF.length) continue;
    chosen.add(sentence);
    length += sentence.text.length + 1;
  }
  if (chosen.size === 0) {
    const [only] = points.length > 0 ? points : sentences;
    return shorten(only?.text ?? '', BRIEF.length);
  }
  return sentences
    .filter((sentence) => chosen.has(sentence))
    .map(({ text }) => text)
    .join(primaryLanguage(language) === 'th' ? ' ' : wordJoiner(language));
}

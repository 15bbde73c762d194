import { describe, expect, it } from 'vitest';
import { carryTexts } from './texts.ts';
import type { SourceParagraph, TargetParagraph } from './types.ts';

/**
 * A spoken word in the versions of both engines and the user. Each version is a list of words, empty if it is missing.
 */
interface SpokenWord {
  readonly first: readonly string[];
  readonly owners: readonly string[];
  readonly second: readonly string[];
}

/** A word that the user corrected, added or removed. */
interface Change {
  readonly word: string;
  /** The start of the paragraph, and the word's position in the user's text. */
  readonly time: number;
  readonly at: number;
  readonly isRemoved: boolean;
}

/** Duration of each spoken word, in seconds. */
const pace = 0.4;

/** Returns reproducible random numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = Math.imul(seed + 1, 7919);
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Creates a recording of 60 to 120 words that two engines transcribed. Each corrected word is unique, so it can be
 * found in the result. Some mistakes are common to both engines, others are not. The engines divide the text
 * differently, and their times may differ. The second engine may miss up to 25 words in a row.
 */
function createRecording(seed: number) {
  const random = createRandom(seed);
  const chance = (share: number) => random() < share;
  const randomBelow = (limit: number) => Math.floor(random() * limit);
  const errors = 0.1 + random() * 0.3;
  let missed = 0;
  const spokenWords = Array.from({ length: 60 + randomBelow(60) }, (_, n): SpokenWord[] => {
    const isWrong = chance(errors);
    const word = isWrong || chance(0.7) ? `word${n}` : 'the';
    missed = missed > 0 ? missed - 1 : chance(0.01) ? 5 + randomBelow(20) : 0;
    const mistake = chance(0.15) ? [] : [chance(0.5) ? `common${n}` : `first${n}`];
    const first = isWrong || chance(0.05) ? mistake : [word];
    const dice = random();
    const secondOutcome = [
      ...[
        { until: isWrong ? 0.4 : 0.8, words: [word] },
        { until: 0.85, words: [`common${n}`] },
      ],
      ...[
        { until: 0.9, words: [] },
        { until: 0.95, words: [`second${n}`, `part${n}`] },
      ],
      { until: 1, words: [`second${n}`] },
    ].find(({ until }) => dice < until);
    const second = missed > 0 ? [] : (secondOutcome?.words ?? []);
    const noise: SpokenWord = {
      first: [`noise${n}`],
      owners: [],
      second: missed === 0 && chance(0.5) ? [`noise${n}`] : [],
    };
    const spokenWord: SpokenWord = { first, owners: isWrong ? [word] : first, second };
    return chance(errors / 4) ? [spokenWord, noise] : [spokenWord];
  }).flat();

  /** Divides the words into paragraphs of random lengths. */
  const divide = (maxWords: number): number[][] => {
    const parts: number[][] = [];
    for (let n = 0; n < spokenWords.length; ) {
      const part = spokenWords
        .slice(n, n + 1 + randomBelow(maxWords))
        .map((_, offset) => n + offset);
      parts.push(part);
      n += part.length;
    }
    return parts;
  };
  const computeTimes = (part: readonly number[]) => ({
    start: (part[0] ?? 0) * pace,
    end: ((part.at(-1) ?? 0) + 1) * pace,
  });
  const selectWords = (part: readonly number[], of: keyof SpokenWord) =>
    part.flatMap((n) => spokenWords[n]?.[of] ?? []);

  const changes: Change[] = [];
  const from = divide(14).map((part, index): SourceParagraph => {
    const { start: time, end } = computeTimes(part);
    const before = selectWords(part, 'first').join(' ');
    const isRewritten = chance(0.05);
    const owners: string[] = [];
    for (const n of part) {
      const { first = [], owners: corrected = [] } = spokenWords[n] ?? {};
      const words = isRewritten ? [`rewritten${n}`] : corrected;
      const word = words[0] ?? first[0];
      if (word !== undefined && words.join() !== first.join()) {
        changes.push({ word, time, at: owners.length, isRemoved: words.length === 0 });
      }
      owners.push(...words);
    }
    const texts = { before, content: owners.join(' ') };
    const id = `from-${index}`;
    return {
      id,
      start: time,
      end,
      ...texts,
      isHighlighted: false,
      speaker: null,
      isAssigned: false,
    };
  });
  const shift = chance(0.2) ? (random() - 0.5) * 8 : 0;
  const to = divide(20).flatMap((part, index): TargetParagraph[] => {
    const words = part.flatMap((n) =>
      selectWords([n], 'second').map((text) => {
        const start = n * pace + shift + random() * 0.3;
        return { text, start, end: (n + 1) * pace + shift, confidence: 1 };
      }),
    );
    const [start, end] = [words[0]?.start, words.at(-1)?.end];
    if (start === undefined || end === undefined) return [];
    const content = words.map(({ text }) => text).join(' ');
    const timed = chance(0.9) ? words : [];
    return [{ id: `to-${index}`, start, end, content, words: timed, speaker: null }];
  });
  return { from, to, changes, isSameLanguage: chance(0.9) };
}

const results = (
  await Promise.all(
    Array.from({ length: 300 }, async (_, seed) => {
      const { from, to, changes, isSameLanguage } = createRecording(seed);
      const { texts, unplaced } = await carryTexts(from, to, () => isSameLanguage);
      const before = to.map(({ content }) => content).join(' ');
      const after = to
        .map(({ id, content }) => texts.find(({ paragraph }) => paragraph === id)?.value ?? content)
        .join(' ');
      const outcomes = changes.map(({ word, time, at, isRemoved }) => {
        const count = (text: string) => text.split(' ').filter((one) => one === word).length;
        const listing = unplaced.find(
          (one) =>
            one.time === time &&
            one.words.some((range) => range.from <= at && at < range.to + (isRemoved ? 1 : 0)),
        );
        return {
          label: `${word} of recording ${seed}`,
          word,
          isRemoved,
          listing,
          before: count(before),
          after: count(after),
          isPlaced: isRemoved ? count(after) === 0 : count(after) > 0,
        };
      });
      return outcomes;
    }),
  )
).flat();

describe('the changes carried over to a different engine’s transcripts of 300 recordings', () => {
  const labels = (list: typeof results) => list.map(({ label }) => label);

  it('are placed or listed', () => {
    expect(results.length).toBeGreaterThan(5000);
    expect(labels(results.filter(({ isPlaced, listing }) => !isPlaced && !listing))).toEqual([]);
  });

  it('aren’t both placed and listed', () => {
    const both = results.filter(({ listing, before, after }) => listing && before !== after);
    expect(labels(both)).toEqual([]);
  });

  it('never remove a word that the user has', () => {
    const removed = results.filter(({ isRemoved, before, after }) => !isRemoved && before > after);
    expect(labels(removed)).toEqual([]);
  });

  it('are listed with the user’s words', () => {
    const listed = results.filter(({ listing }) => listing);
    expect(listed.length).toBeGreaterThan(1000);
    const isShown = ({ isRemoved, listing, word }: (typeof results)[number]) =>
      isRemoved || listing?.text.split(/[\s…]/).includes(word);
    expect(labels(listed.filter((one) => !isShown(one)))).toEqual([]);
  });
});

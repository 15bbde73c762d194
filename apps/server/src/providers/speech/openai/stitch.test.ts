import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecognizedWord } from '../port.ts';
import { type RecognizedPiece, stitch } from './stitch.ts';

const OVERLAP_SECONDS = 2.5;

interface SpokenWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A uniformly distributed fraction. fast-check's doubles cluster at the ends of their range instead. */
const anyFraction = fc.integer({ min: 0, max: 10_000 }).map((value) => value / 10_000);
const numberBetween = (min: number, max: number) =>
  anyFraction.map((part) => min + part * (max - min));

/** Generates consecutive spoken words with pauses between them. */
const script = (texts: fc.Arbitrary<string>, shortest: number): fc.Arbitrary<SpokenWord[]> =>
  fc
    .array(
      fc.record({
        text: texts,
        duration: numberBetween(shortest * 0.8, 0.6),
        pause: fc.oneof(
          { weight: 5, arbitrary: numberBetween(shortest * 0.2, 0.3) },
          { weight: 1, arbitrary: numberBetween(0.3, 8) },
        ),
      }),
      { minLength: 40, maxLength: 150 },
    )
    .map((words) => {
      let clock = 0;
      return words.map(({ text, duration, pause }) => {
        const start = clock + pause;
        clock = start + duration;
        return { text, start, end: clock };
      });
    });

/**
 * How a simulated recognizer distorts speech: where it cuts, how far times deviate, and which edge words it garbles.
 */
interface Recognition {
  readonly cuts: readonly number[];
  readonly timeErrors: readonly number[];
  readonly atEdges: readonly ('lost' | 'garbled' | 'whole')[];
}
/** @param error the maximum deviation of a time, in seconds */
const recognition = (error: number): fc.Arbitrary<Recognition> =>
  fc.record({
    cuts: fc.array(anyFraction, { minLength: 2, maxLength: 6 }),
    timeErrors: fc.array(numberBetween(-error, error), { minLength: 97 }),
    atEdges: fc.array(fc.constantFrom('lost', 'garbled', 'whole'), { minLength: 7 }),
  });

function recognize(
  spoken: readonly SpokenWord[],
  { cuts, timeErrors, atEdges }: Recognition,
): RecognizedPiece[] {
  const length = (spoken.at(-1)?.end ?? 0) + 1;
  const bounds = [0, ...cuts.map((cut) => cut * length).sort((a, b) => a - b), length];
  // The planner never cuts pieces that are shorter than their overlaps.
  const pieceBounds = bounds.filter(
    (bound, index) =>
      index === 0 ||
      index === bounds.length - 1 ||
      bound - (bounds[index - 1] ?? 0) > 2 * OVERLAP_SECONDS,
  );
  let count = 0;
  return pieceBounds.slice(0, -1).map((from, index) => {
    const to = pieceBounds[index + 1] as number;
    const [audioFrom, audioTo] = [
      Math.max(0, from - OVERLAP_SECONDS),
      Math.min(length, to + OVERLAP_SECONDS),
    ];
    const words: RecognizedWord[] = [];
    const clampToPiece = (time: number) => Math.min(audioTo, Math.max(audioFrom, time));
    for (const word of spoken) {
      if (word.end <= audioFrom || word.start >= audioTo) continue;
      count += 1;
      const isComplete = word.start >= audioFrom && word.end <= audioTo;
      const state = isComplete ? 'whole' : atEdges[count % atEdges.length];
      if (state === 'lost') continue;
      const shift = timeErrors[count % timeErrors.length] as number;
      const start = Math.max(words.at(-1)?.start ?? 0, clampToPiece(word.start + shift));
      words.push({
        text: state === 'garbled' ? `~${count}` : word.text,
        start,
        end: Math.max(start, clampToPiece(word.end + shift)),
        confidence: 1,
      });
    }
    return { from, to, audioFrom, audioTo, words };
  });
}

const texts = (words: readonly { readonly text: string }[]) => words.map((word) => word.text);

describe('stitch', () => {
  it('restores repeated words exactly when times deviate slightly', () => {
    fc.assert(
      fc.property(
        script(fc.constantFrom('ha', 'no', 'yes'), 0.25),
        recognition(0.02),
        (spoken, errors) => {
          expect(texts(stitch(recognize(spoken, errors)))).toEqual(texts(spoken));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('restores distinct words exactly when times deviate by up to 0.4 s', () => {
    const numbered = script(fc.constant(''), 0.25).map((spoken) =>
      spoken.map((word, index) => ({ ...word, text: `w${index}` })),
    );
    fc.assert(
      fc.property(numbered, recognition(0.4), (spoken, errors) => {
        expect(texts(stitch(recognize(spoken, errors)))).toEqual(texts(spoken));
      }),
      { numRuns: 2000 },
    );
  });

  it('returns words in chronological order without overlap', () => {
    fc.assert(
      fc.property(
        script(fc.constantFrom('a', 'b', 'c', 'd'), 0.25),
        recognition(0.4),
        (spoken, errors) => {
          let clock = 0;
          for (const word of stitch(recognize(spoken, errors))) {
            expect(word.start).toBeGreaterThanOrEqual(clock);
            expect(word.end).toBeGreaterThanOrEqual(word.start);
            clock = word.end;
          }
        },
      ),
    );
  });

  const word = (text: string, start: number) => ({ text, start, end: start + 0.3, confidence: 1 });
  const piece = (from: number, to: number, words: RecognizedWord[]): RecognizedPiece => ({
    from,
    to,
    audioFrom: Math.max(0, from - OVERLAP_SECONDS),
    audioTo: to + OVERLAP_SECONDS,
    words,
  });

  it('switches pieces at a matching word, ignoring punctuation and case', () => {
    const firstPiece = piece(0, 10, [
      word('We', 8),
      word('met', 9),
      word('There.', 9.8),
      word('An', 11),
    ]);
    const right = piece(10, 20, [word('met', 9.1), word('their', 9.8), word('and', 11)]);
    expect(texts(stitch([firstPiece, right]))).toEqual(['We', 'met', 'their', 'and']);
  });

  it('selects words from the piece with more context', () => {
    const left = [
      word('one', 8.1),
      word('two', 9),
      word('met', 9.8),
      word('there', 10.8),
      word('now', 11.5),
    ];
    const right = [
      word('one', 8.1),
      word('too', 9),
      word('met', 9.8),
      word('their', 10.8),
      word('now', 11.5),
    ];
    const words = stitch([piece(0, 10, left), piece(10, 20, right)]);
    expect(texts(words)).toEqual(['one', 'two', 'met', 'their', 'now']);
  });

  it('switches at the cut if no words match, without duplicating a word', () => {
    const firstPiece = piece(0, 10, [word('one', 9), word('there', 9.8)]);
    const right = piece(10, 20, [word('their', 9.9), word('two', 11.9)]);
    expect(texts(stitch([firstPiece, right]))).toEqual(['one', 'there', 'two']);
  });

  it('concatenates pieces that do not overlap', () => {
    const pieces = [piece(0, 10, [word('here', 9)]), piece(60, 70, [word('here', 61)])];
    expect(texts(stitch(pieces))).toEqual(['here', 'here']);
    expect(stitch([])).toEqual([]);
  });
});

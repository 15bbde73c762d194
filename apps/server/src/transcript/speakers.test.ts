import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toParagraphs } from './paragraphs.ts';
import { assignSpeakers } from './speakers.ts';

const word = (start: number, end: number, text = 'word') => ({ text, start, end, confidence: 1 });
const labels = (words: readonly { readonly speaker?: string }[]) =>
  words.map(({ speaker }) => speaker);

describe('assignSpeakers', () => {
  it('assigns the speaker whose turns overlap a word longest', () => {
    const words = [word(0, 1), word(1.8, 2.4), word(2.4, 3), word(4, 5)];
    const turns = [
      { start: 0, end: 2, speaker: 7 },
      { start: 2, end: 4.4, speaker: 3 },
      // The total of two short turns exceeds one long turn.
      { start: 4.4, end: 4.7, speaker: 7 },
      { start: 4.7, end: 5, speaker: 7 },
    ];
    expect(labels(assignSpeakers(words, turns))).toEqual(['1', '2', '2', '1']);
  });

  it('numbers labels in the order of the words, not of the turns', () => {
    const turns = [
      { start: 0, end: 1, speaker: 0 },
      { start: 2, end: 3, speaker: 1 },
    ];
    expect(labels(assignSpeakers([word(2, 3), word(3, 4)], turns))).toEqual(['1', '1']);
  });

  it('assigns a word between turns to the nearer turn', () => {
    const turns = [
      { start: 0, end: 1, speaker: 0 },
      { start: 3, end: 4, speaker: 1 },
    ];
    const words = [word(0, 1), word(1.2, 1.4), word(2.6, 2.8), word(9, 10)];
    expect(labels(assignSpeakers(words, turns))).toEqual(['1', '1', '2', '2']);
  });

  it('leaves words unchanged without turns', () => {
    expect(labels(assignSpeakers([word(0, 1)], []))).toEqual([undefined]);
  });

  const spans = (maximum: number) =>
    fc.array(
      fc.record({ gap: fc.integer({ min: 0, max: 9 }), length: fc.integer({ min: 1, max: 9 }) }),
      {
        minLength: 1,
        maxLength: maximum,
      },
    );
  const placeParts = (parts: readonly { gap: number; length: number }[]) => {
    let clock = 0;
    return parts.map(({ gap, length }) => {
      const start = clock + gap;
      clock = start + length;
      return { start, end: clock };
    });
  };

  it('matches a comparison of every word with every turn', () => {
    fc.assert(
      fc.property(
        spans(30).map(placeParts),
        fc.array(
          fc.record({
            start: fc.integer({ min: 0, max: 200 }),
            length: fc.integer({ min: 1, max: 60 }),
            speaker: fc.integer({ min: 0, max: 3 }),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        (times, drawn) => {
          const turns = drawn.map(({ start, length, speaker }) => {
            return { start, end: start + length, speaker };
          });
          const overlap = (one: { start: number; end: number }, speaker: number) =>
            turns
              .filter((turn) => turn.speaker === speaker)
              .reduce(
                (sum, turn) =>
                  sum + Math.max(0, Math.min(one.end, turn.end) - Math.max(one.start, turn.start)),
                0,
              );
          const assigned = assignSpeakers(
            times.map(({ start, end }) => word(start, end)),
            turns,
          );
          /** Possible speakers for each label. */
          const candidates = new Map<string, Set<number>>();
          for (const one of assigned) {
            const most = Math.max(...[0, 1, 2, 3].map((speaker) => overlap(one, speaker)));
            if (most === 0) continue;
            const best = [0, 1, 2, 3].filter((speaker) => overlap(one, speaker) === most);
            const label = one.speaker ?? '';
            const before = candidates.get(label) ?? new Set([0, 1, 2, 3]);
            candidates.set(label, new Set(best.filter((speaker) => before.has(speaker))));
            expect(candidates.get(label)?.size).toBeGreaterThan(0);
          }
          const seen = [...new Set(labels(assigned))];
          expect(seen).toEqual(seen.map((_, index) => String(index + 1)));
        },
      ),
    );
  });
});

describe('paragraphs', () => {
  const english = { language: 'en', punctuated: false };
  const createWords = (speaker: string, from: number, text: string) =>
    text
      .split(' ')
      .map((part, index) => ({ ...word(from + index, from + index + 1, part), speaker }));

  it('start at speaker changes and name the speaker', () => {
    const words = [
      ...createWords('1', 0, 'are you there'),
      ...createWords('2', 3, 'yes'),
      ...createWords('1', 4, 'good'),
    ];
    expect(toParagraphs(words, english)).toMatchObject([
      { speaker: '1', content: 'Are you there?' },
      { speaker: '2', content: 'Yes.' },
      { speaker: '1', content: 'Good.' },
    ]);
  });

  it('contain words without speakers', () => {
    const [paragraph] = toParagraphs(createWords('1', 0, 'hello'), english);
    expect(paragraph?.words).toEqual([{ text: 'Hello.', start: 0, end: 1, confidence: 1 }]);
  });

  it('have no speaker if speakers are not separated', () => {
    expect(toParagraphs([word(0, 1)], english)[0]).not.toHaveProperty('speaker');
  });
});

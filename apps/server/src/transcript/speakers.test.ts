import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toParagraphs } from './paragraphs.ts';
import { withSpeakers } from './speakers.ts';

const word = (start: number, end: number, text = 'word') => ({ text, start, end, confidence: 1 });
const labels = (words: readonly { readonly speaker?: string }[]) =>
  words.map(({ speaker }) => speaker);

describe('words and turns', () => {
  it('give each word the speaker whose turns overlap it longest', () => {
    const words = [word(0, 1), word(1.8, 2.4), word(2.4, 3), word(4, 5)];
    const turns = [
      { start: 0, end: 2, speaker: 7 },
      { start: 2, end: 4.4, speaker: 3 },
      // Two short turns together are more than one long one.
      { start: 4.4, end: 4.7, speaker: 7 },
      { start: 4.7, end: 5, speaker: 7 },
    ];
    expect(labels(withSpeakers(words, turns))).toEqual(['1', '2', '2', '1']);
  });

  it('count labels as words have them, not as turns do', () => {
    const turns = [
      { start: 0, end: 1, speaker: 0 },
      { start: 2, end: 3, speaker: 1 },
    ];
    expect(labels(withSpeakers([word(2, 3), word(3, 4)], turns))).toEqual(['1', '1']);
  });

  it('give a word between turns to the nearer one', () => {
    const turns = [
      { start: 0, end: 1, speaker: 0 },
      { start: 3, end: 4, speaker: 1 },
    ];
    const words = [word(0, 1), word(1.2, 1.4), word(2.6, 2.8), word(9, 10)];
    expect(labels(withSpeakers(words, turns))).toEqual(['1', '1', '2', '2']);
  });

  it('leave words alone where there is no turn', () => {
    expect(labels(withSpeakers([word(0, 1)], []))).toEqual([undefined]);
  });

  const spans = (most: number) =>
    fc.array(
      fc.record({ gap: fc.integer({ min: 0, max: 9 }), length: fc.integer({ min: 1, max: 9 }) }),
      {
        minLength: 1,
        maxLength: most,
      },
    );
  const placed = (parts: readonly { gap: number; length: number }[]) => {
    let clock = 0;
    return parts.map(({ gap, length }) => {
      const start = clock + gap;
      clock = start + length;
      return { start, end: clock };
    });
  };

  it('agree with looking at every turn for every word', () => {
    fc.assert(
      fc.property(
        spans(30).map(placed),
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
          const given = withSpeakers(
            times.map(({ start, end }) => word(start, end)),
            turns,
          );
          /** Which speakers a label may stand for. */
          const meant = new Map<string, Set<number>>();
          for (const one of given) {
            const most = Math.max(...[0, 1, 2, 3].map((speaker) => overlap(one, speaker)));
            if (most === 0) continue;
            const best = [0, 1, 2, 3].filter((speaker) => overlap(one, speaker) === most);
            const label = one.speaker ?? '';
            const before = meant.get(label) ?? new Set([0, 1, 2, 3]);
            meant.set(label, new Set(best.filter((speaker) => before.has(speaker))));
            expect(meant.get(label)?.size).toBeGreaterThan(0);
          }
          const seen = [...new Set(labels(given))];
          expect(seen).toEqual(seen.map((_, index) => String(index + 1)));
        },
      ),
    );
  });
});

describe('paragraphs', () => {
  const english = { language: 'en', punctuated: false };
  const said = (speaker: string, from: number, text: string) =>
    text
      .split(' ')
      .map((part, index) => ({ ...word(from + index, from + index + 1, part), speaker }));

  it('begin where the speaker changes, and say who speaks', () => {
    const words = [
      ...said('1', 0, 'are you there'),
      ...said('2', 3, 'yes'),
      ...said('1', 4, 'good'),
    ];
    expect(toParagraphs(words, english)).toMatchObject([
      { speaker: '1', content: 'Are you there?' },
      { speaker: '2', content: 'Yes.' },
      { speaker: '1', content: 'Good.' },
    ]);
  });

  it('hold words without the speaker, whom the paragraph names', () => {
    const [paragraph] = toParagraphs(said('1', 0, 'hello'), english);
    expect(paragraph?.words).toEqual([{ text: 'Hello.', start: 0, end: 1, confidence: 1 }]);
  });

  it('name nobody where nobody is told apart', () => {
    expect(toParagraphs([word(0, 1)], english)[0]).not.toHaveProperty('speaker');
  });
});

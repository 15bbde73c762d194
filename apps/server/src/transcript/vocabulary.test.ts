import { limits } from '@linnet/contract/limits';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecognizedWord } from '../providers/speech/port.ts';
import { applyVocabulary } from './vocabulary.ts';

/** Creates words of half a second each. Words in parentheses have a low confidence. */
function toWords(text: string): RecognizedWord[] {
  return text.split(' ').map((word, index) => ({
    text: word.replace(/[()]/g, ''),
    ...{ start: index / 2, end: index / 2 + 0.4 },
    confidence: word.startsWith('(') ? 0.3 : 0.9,
  }));
}
const read = (words: readonly RecognizedWord[]) => words.map(({ text }) => text).join(' ');

describe('the vocabulary', () => {
  it.each([
    ['call (marketing) today', 'Marchetti', 'call marketing today'],
    ['call (mark) (eddie) today', 'Marchetti', 'call Marchetti today'],
    ['call (marketti) today', 'Marchetti', 'call Marchetti today'],
    ['ask (kovalski) now', 'Kowalski', 'ask Kowalski now'],
    ['ask (Nakamora), and wait', 'Nakamura', 'ask Nakamura, and wait'],
    ["the (shneider's) price", 'Schneider', "the Schneider's price"],
    ['with (ana) (kovax) today', 'Anna Kovács', 'with Anna Kovács today'],
    ['with (anakovach) today', 'Anna Kovács', 'with Anna Kovács today'],
    ['звоните (маркети) завтра', 'Маркетти', 'звоните Маркетти завтра'],
    ['打给 (田中山) 吧', '田中三', '打给 田中山 吧'],
  ])('turns "%s" with %s into "%s"', async (recognized, entry, expected) => {
    expect(read(await applyVocabulary(toWords(recognized), [entry]))).toBe(expected);
  });

  it.each([
    ['sure words', 'call mark eddie today', 'Marchetti'],
    ['words that include a sure one', 'call (mark) eddie today', 'Marchetti'],
    ['words on both sides of a full stop', 'call (mark.) (eddie) left', 'Marchetti'],
    ['other words', 'call (the) (company) today', 'Marchetti'],
    ['words that are only similar to a short entry', 'call (pot) today', 'Bob'],
  ])('keeps %s', async (_, recognized, entry) => {
    expect(await applyVocabulary(toWords(recognized), [entry])).toEqual(toWords(recognized));
  });

  it('yields to the event loop between entries', async () => {
    const events: string[] = [];
    setImmediate(() => events.push('other work'));
    const corrected = applyVocabulary(toWords('call (marketti)'), ['Kowalski', 'Marchetti']);
    await corrected.then(() => events.push('corrected'));
    expect(events).toEqual(['other work', 'corrected']);
  });

  it('prefers the closest entry', async () => {
    const vocabulary = ['Marchetto', 'Marchetti', 'Marcelli'];
    expect(read(await applyVocabulary(toWords('call (marketti)'), vocabulary))).toBe(
      'call Marchetti',
    );
  });

  it('gives a correction the times and the lowest confidence of the words that it replaces', async () => {
    const recognized = toWords('call (mark) (eddie) today').map((word, index) =>
      index === 2 ? { ...word, confidence: 0.1 } : word,
    );
    expect((await applyVocabulary(recognized, ['Marchetti']))[1]).toEqual({
      ...{ text: 'Marchetti', start: 0.5, end: 1.4, confidence: 0.1 },
    });
    expect((await applyVocabulary(recognized, ['Mark Eddy'])).slice(1, 3)).toMatchObject([
      { text: 'Mark', start: 0.5, end: 0.95 },
      { text: 'Eddy', start: 0.95, end: 1.4 },
    ]);
  });

  const text = fc.oneof(
    fc.constantFrom(
      'mark',
      'eddie',
      'Marchetti',
      'marketti.',
      'ana',
      'the',
      '田中',
      'маркети',
      "x's",
    ),
    fc.string({ minLength: 1, maxLength: 6 }).map((word) => word.replace(/\s/g, '') || 'a'),
  );
  const words = fc
    .array(
      fc.record({ text, gap: fc.nat(300), confidence: fc.double({ min: 0, max: 1, noNaN: true }) }),
    )
    .map((list) => {
      let clock = 0;
      return list.map(({ gap, ...word }) => {
        const start = clock + gap / 1000;
        clock = start + 0.2;
        return { ...word, start, end: clock };
      });
    });
  const vocabulary = fc.array(
    fc.constantFrom('Marchetti', 'Anna Kovács', 'Bob', '田中', 'Маркетти'),
  );
  const isSure = ({ confidence }: RecognizedWord) => confidence >= limits.minConfidence;

  it('never changes a word with high confidence, and keeps the times in order', async () => {
    await fc.assert(
      fc.asyncProperty(words, vocabulary, async (recognized, entries) => {
        const corrected = await applyVocabulary(recognized, entries);
        expect(corrected.filter(isSure)).toEqual(recognized.filter(isSure));
        let clock = 0;
        for (const { start, end } of corrected) {
          expect(start).toBeGreaterThanOrEqual(clock - 0.001);
          expect(end).toBeGreaterThanOrEqual(start);
          clock = end;
        }
        expect(await applyVocabulary(recognized, [])).toEqual(recognized);
      }),
    );
  });
});

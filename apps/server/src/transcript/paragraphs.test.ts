import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  LONG_PAUSE,
  PARAGRAPH_MAX_WORDS,
  PARAGRAPH_MIN_WORDS,
  type TranscriptWord,
  toParagraphs,
  wordJoiner,
} from './paragraphs.ts';

const ENGLISH = { language: 'en', punctuated: false };

/** Creates words of 0.3 s each. A number is a pause in seconds. */
function speak(...parts: (string | number)[]): TranscriptWord[] {
  let clock = 0;
  return parts.flatMap((part) => {
    if (typeof part === 'number') {
      clock += part;
      return [];
    }
    return part.split(' ').map((text) => {
      const word = { text, start: clock, end: clock + 0.3, confidence: 0.9 };
      clock = word.end;
      return word;
    });
  });
}

describe('toParagraphs', () => {
  it('ends sentences at pauses', () => {
    const [paragraph, ...more] = toParagraphs(
      speak("so i'm back on friday", 0.6, 'who will open the door', 0.6, 'i will'),
      ENGLISH,
    );
    expect(paragraph?.content).toBe("So I'm back on Friday. Who will open the door? I will.");
    expect(more).toEqual([]);
  });

  it('adds no full stop at a short pause', () => {
    expect(toParagraphs(speak('we start', 0.3, 'at nine'), ENGLISH)[0]?.content).toBe(
      'We start at nine.',
    );
  });

  it('starts a paragraph at a pause of 0.8 s, but not after only a few words', () => {
    const first = 'this sentence has enough words for a paragraph';
    expect(toParagraphs(speak(first, 0.8, 'next one'), ENGLISH)).toHaveLength(2);
    expect(toParagraphs(speak(first, 0.79, 'next one'), ENGLISH)).toHaveLength(1);
    expect(toParagraphs(speak('hello', 0.8, first), ENGLISH)).toHaveLength(1);
    expect(toParagraphs(speak('hello', LONG_PAUSE, first), ENGLISH)).toHaveLength(2);
  });

  it('splits an overlong paragraph at its longest pause, without a full stop', () => {
    const half = Array.from({ length: 60 }, () => 'word').join(' ');
    const paragraphs = toParagraphs(speak(half, 0.4, half), ENGLISH);
    expect(paragraphs.map((paragraph) => paragraph.words.length)).toEqual([60, 60]);
    expect(paragraphs[0]?.content.endsWith('word')).toBe(true);
    expect(paragraphs[1]?.content.startsWith('word')).toBe(true);
  });

  it('keeps the words of a punctuating engine unchanged', () => {
    const words = speak('Hallo, Welt!', 1, 'iPhone da');
    expect(toParagraphs(words, { language: 'de', punctuated: true })[0]?.content).toBe(
      'Hallo, Welt! iPhone da',
    );
  });

  it('uses no spaces and an ideographic full stop in Chinese', () => {
    const [paragraph] = toParagraphs(speak('今天 开会'), {
      language: 'zh-Hans',
      punctuated: false,
    });
    expect(paragraph?.content).toBe('今天开会。');
  });

  it('rounds times to milliseconds and limits confidences to 1', () => {
    const [paragraph] = toParagraphs(
      [{ text: 'yes', start: 0.1 + 0.2, end: 1.00049, confidence: 1.4 }],
      ENGLISH,
    );
    expect(paragraph).toEqual({
      start: 0.3,
      end: 1,
      content: 'Yes.',
      words: [{ text: 'Yes.', start: 0.3, end: 1, confidence: 1 }],
    });
  });

  it('returns no paragraphs for no words', () => {
    expect(toParagraphs([], ENGLISH)).toEqual([]);
  });

  const speech = fc
    .array(
      fc.record({
        text: fc.stringMatching(/^[a-z' ]{0,8}$/),
        pause: fc.constantFrom(0, 0.01, 0.3, 0.5, 0.8, 2.5),
        length: fc.double({ min: 0.01, max: 1, noNaN: true }),
        confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 400 },
    )
    .map((parts) => {
      let clock = 0;
      return parts.map(({ text, pause, length, confidence }) => {
        const start = clock + pause;
        clock = start + length;
        return { text, start, end: clock, confidence };
      });
    });

  it('keeps every word as one token', () => {
    fc.assert(
      fc.property(
        speech,
        fc.constantFrom('en', 'fr', 'zh-Hans', 'th'),
        fc.boolean(),
        (words, language, punctuated) => {
          const paragraphs = toParagraphs(words, { language, punctuated });
          const bare = (text: string) =>
            text
              .toLowerCase()
              .replace(/\s/g, '')
              .replace(/[.?。]$/u, '');
          expect(
            paragraphs.flatMap((paragraph) => paragraph.words.map((word) => bare(word.text))),
          ).toEqual(words.map((word) => bare(word.text)).filter((text) => text !== ''));
          const joiner = wordJoiner(language);
          for (const paragraph of paragraphs) {
            expect(paragraph.content).toBe(paragraph.words.map((word) => word.text).join(joiner));
            if (joiner !== '') {
              expect(paragraph.content.split(joiner)).toHaveLength(paragraph.words.length);
            }
          }
        },
      ),
    );
  });

  it('returns paragraphs in order, bounded by their words and within the minimum and maximum lengths', () => {
    fc.assert(
      fc.property(speech, (words) => {
        const paragraphs = toParagraphs(words, ENGLISH);
        let clock = 0;
        for (const [index, paragraph] of paragraphs.entries()) {
          expect(paragraph.start).toBeGreaterThanOrEqual(clock);
          expect(paragraph.start).toBe(paragraph.words[0]?.start);
          expect(paragraph.end).toBe(paragraph.words.at(-1)?.end);
          expect(paragraph.words.length).toBeLessThanOrEqual(PARAGRAPH_MAX_WORDS);
          const next = paragraphs[index + 1];
          if (next && next.start - paragraph.end < LONG_PAUSE - 0.001) {
            expect(paragraph.words.length).toBeGreaterThanOrEqual(PARAGRAPH_MIN_WORDS);
          }
          clock = paragraph.end;
        }
      }),
    );
  });
});

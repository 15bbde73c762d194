import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SliceResult } from '../../sherpa/protocol.ts';
import { toWords } from './words.ts';

const slice = { start: 10, end: 14 };
const result = (part: Partial<SliceResult>): SliceResult => ({
  text: '',
  tokens: [],
  timestamps: [],
  durations: [],
  ys_log_probs: [],
  lang: '',
  ...part,
});
const texts = (part: Partial<SliceResult>, language = 'en') =>
  toWords(result(part), slice, language).map(({ text }) => text);
const createTimedResult = (...tokens: string[]) => ({
  text: tokens.join(''),
  tokens,
  timestamps: tokens.map((_, index) => index * 0.5),
});

describe('toWords', () => {
  it('joins tokens to words with the times of the first and last token', () => {
    expect(toWords(result(createTimedResult('▁hel', 'lo', ',', '▁you')), slice, 'en')).toEqual([
      { text: 'hello,', start: 10, end: 11.24, confidence: 1 },
      { text: 'you', start: 11.5, end: 11.74, confidence: 1 },
    ]);
  });

  it('uses the durations from the engine', () => {
    const words = toWords(
      result({ ...createTimedResult(' a', ' b'), durations: [0.4, 0.9] }),
      slice,
      'en',
    );
    expect(words.map(({ end }) => end)).toEqual([10.4, 11.4]);
  });

  it('averages the probabilities of tokens', () => {
    const logs = [0, Math.log(0.25), Math.log(0.5)];
    const words = toWords(
      result({ ...createTimedResult(' he', 'llo', ' you'), ys_log_probs: logs }),
      slice,
      'en',
    );
    expect(words.map(({ confidence }) => confidence)).toEqual([0.5, 0.5]);
  });

  it('segments scripts without spaces', () => {
    expect(texts(createTimedResult('我', '们', '去', '公', '园', '。'), 'zh-Hans')).toEqual([
      '我们',
      '去',
      '公园。',
    ]);
    expect(texts(createTimedResult('สวัส', 'ดีครับ'), 'th')).toEqual(['สวัสดี', 'ครับ']);
    expect(texts(createTimedResult('▁안녕', '하세요', '▁여러분'), 'ko')).toEqual([
      '안녕하세요',
      '여러분',
    ]);
    expect(texts(createTimedResult('我', '爱', '▁rock', '▁music'), 'zh-Hans').slice(-2)).toEqual([
      'rock',
      'music',
    ]);
  });

  it('removes markers and brackets', () => {
    expect(texts(createTimedResult('<|en|>', '▁(so)', '▁<unk>', '▁[NOISE]', '▁it', '▁is'))).toEqual(
      ['so', 'it', 'is'],
    );
  });

  it('decodes byte tokens', () => {
    expect(texts(createTimedResult('<0xE5>', '<0xA5>', '<0xBD>', '▁ok'), 'zh-Hans')).toEqual([
      '好',
      'ok',
    ]);
  });

  it('distributes words evenly over the slice if the engine returns no timestamps', () => {
    expect(toWords(result({ text: 'ab cd' }), slice, 'en')).toEqual([
      { text: 'ab', start: 10, end: 11.6, confidence: 1 },
      { text: 'cd', start: 12.4, end: 14, confidence: 1 },
    ]);
    // The tokens can't be decoded, so only the text is usable.
    expect(texts({ ...createTimedResult('\uFFFD', '\uFFFD'), text: ' é.' })).toEqual(['é.']);
  });

  it('returns ordered words within the slice for arbitrary results', () => {
    const piece = fc.constantFrom('▁a', 'b', '。', '公', '园', ',', '▁', '<unk>', '(', 'é', '▁ส');
    const token = fc.record({
      piece,
      time: fc.double({ min: -1, max: 9, noNaN: true }),
      length: fc.double({ min: 0, max: 3, noNaN: true }),
      log: fc.double({ min: -20, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(token), fc.constantFrom('en', 'zh-Hans', 'th'), (tokens, language) => {
        const words = toWords(
          result({
            tokens: tokens.map(({ piece: text }) => text),
            timestamps: tokens.map(({ time }) => time),
            durations: tokens.map(({ length }) => length),
            ys_log_probs: tokens.map(({ log }) => log),
          }),
          slice,
          language,
        );
        let clock = slice.start;
        for (const word of words) {
          expect(word.text).toMatch(/^[^\s<>[\]()]+$/u);
          expect(word.start).toBeGreaterThanOrEqual(clock);
          expect(word.end).toBeGreaterThanOrEqual(word.start);
          expect(word.confidence).toBeGreaterThanOrEqual(0);
          expect(word.confidence).toBeLessThanOrEqual(1);
          clock = word.end;
        }
        expect(clock).toBeLessThanOrEqual(slice.end);
      }),
    );
  });
});

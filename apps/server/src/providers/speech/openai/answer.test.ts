import { describe, expect, it } from 'vitest';
import { UnreadableResponse } from '../../openai/service.ts';
import { parseTranscription } from './answer.ts';

const createTimedWords = (...words: string[]) =>
  words.map((word, index) => ({ word, start: index, end: index + 0.5 }));
const texts = (value: unknown, language: Parameters<typeof parseTranscription>[2] = 'en') =>
  parseTranscription(value, 60, language).words.map(({ text }) => text);

describe('parseTranscription', () => {
  it.each([
    [
      ['hello', 'world', 'how', 'are', 'you'],
      'Hello, world! How are you?',
      'Hello, world! How are you?',
    ],
    [['qué', 'hora', 'es'], '¿Qué hora es?', '¿Qué hora es?'],
    [['he', 'said', 'yes', 'twice'], 'He said “yes” twice.', 'He said “yes” twice.'],
    // A word that is missing in the text, repeated words, and a word that is missing in the list.
    [['no', 'no', 'uhm', 'no'], 'No, no – no.', 'No, no uhm no.'],
    [['a', 'c'], 'A b c.', 'A c.'],
    [[' Hello', ' there.'], ' Hello there.', 'Hello there.'],
    [['Music', 'so'], '[Music] So', 'Music So'],
  ])('spells the words %j as in %s', (words, text, expected) => {
    expect(texts({ text, words: createTimedWords(...words) }).join(' ')).toBe(expected);
  });

  it('spells words as in the text, without spaces between them', () => {
    const words = createTimedWords('今天', '天气', '很', '好', '我们', '走');
    expect(texts({ text: '今天天气很好。我们走！', words }, 'zh-Hans')).toEqual([
      ...['今天', '天气', '很', '好。', '我们', '走！'],
    ]);
  });

  it('divides segments by letter count if there are no words', () => {
    const segments = [
      { text: ' Four more', start: 2, end: 6 },
      { text: ' words.', start: 10, end: 11 },
    ];
    expect(
      parseTranscription({ text: 'Four more words.', segments }, 60, 'en').words,
    ).toMatchObject([
      { text: 'Four', start: 2, end: 4, confidence: 0.75 },
      { text: 'more', start: 4, end: 6 },
      { text: 'words.', start: 10, end: 11 },
    ]);
    const thai = { text: 'สวัสดีครับ', segments: [{ text: 'สวัสดีครับ', start: 0, end: 1 }] };
    expect(texts(thai, 'th')).toEqual(['สวัสดี', 'ครับ']);
    const chinese = {
      text: '你好。再见！',
      segments: [{ text: '你好。再见！', start: 0, end: 1 }],
    };
    expect(texts(chinese, 'zh-Hans')).toEqual(['你好。', '再见！']);
  });

  it('spreads text without timestamps over the speech', () => {
    const speech = [
      { start: 1, end: 3 },
      { start: 8, end: 10 },
    ];
    const { words, isTimed } = parseTranscription(
      { text: 'Four more words here' },
      60,
      'en',
      speech,
    );
    expect(isTimed).toBe(false);
    expect(words.map(({ text }) => text)).toEqual(['Four', 'more', 'words', 'here']);
    expect(words[0]).toMatchObject({ start: 1, confidence: 0.75 });
    // A word must not extend through a pause.
    expect(words[1]?.end).toBeLessThanOrEqual(3);
    expect(words[3]?.start).toBeGreaterThan(8);
    expect(words[3]?.end).toBeCloseTo(10);
    const wholeWords = parseTranscription({ text: '你好。再见！' }, 4, null).words;
    expect(wholeWords).toMatchObject([
      { text: '你好。', start: 0, end: 2 },
      { text: '再见！', start: 2, end: 4 },
    ]);
    expect(parseTranscription({ text: ' ' }, 4, null)).toMatchObject({ words: [], isTimed: true });
  });

  it('reads words within segments, with their probabilities', () => {
    const words = [{ word: ' Yes', start: 1, end: 2, probability: 0.4 }];
    const segments = [{ text: ' Yes.', start: 1, end: 2, avg_logprob: -0.1, words }];
    expect(parseTranscription({ text: 'Yes.', segments }, 60, 'en').words).toEqual([
      { text: 'Yes.', start: 1, end: 2, confidence: 0.4 },
    ]);
  });

  it('clamps times and confidences and sorts the words', () => {
    const words = [
      { word: 'late', start: 59, end: 75 },
      { word: 'early', start: -2, end: 1 },
      { word: '(', start: 3, end: 4 },
      { word: 'gone', start: 90, end: 80 },
    ];
    const segments = [{ text: 'x', start: -5, end: 100, avg_logprob: 3 }];
    const result = parseTranscription(
      { text: 'early ( late gone', words, segments },
      60,
      'en',
    ).words;
    expect(result).toEqual([
      { text: 'early', start: 0, end: 1, confidence: 1 },
      { text: 'late', start: 59, end: 60, confidence: 1 },
      { text: 'gone', start: 60, end: 60, confidence: 1 },
    ]);
  });

  it('returns no words for an empty transcription', () => {
    expect(texts({ text: '', words: [], segments: [] })).toEqual([]);
    expect(texts({ text: ' ' })).toEqual([]);
    expect(texts({ text: '', words: null, segments: null })).toEqual([]);
  });

  it.each([[null], ['text'], [{}], [{ text: '', words: [{ word: 'a' }] }]])(
    'rejects %j',
    (value) => {
      expect(() => parseTranscription(value, 60, 'en')).toThrow(UnreadableResponse);
    },
  );

  it('returns the detected language', () => {
    const parseLanguage = (language: unknown) =>
      parseTranscription({ text: '', language }, 60, null).language;
    expect(['en', 'Portuguese', 'zh', 'german', '', null].map(parseLanguage)).toEqual([
      ...['en', 'pt', 'zh-Hans', null, undefined, undefined],
    ]);
  });
});

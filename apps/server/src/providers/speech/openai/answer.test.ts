import { describe, expect, it } from 'vitest';
import { UnreadableAnswer } from '../../openai/service.ts';
import { readAnswer } from './answer.ts';

const timed = (...words: string[]) =>
  words.map((word, index) => ({ word, start: index, end: index + 0.5 }));
const texts = (value: unknown, language: Parameters<typeof readAnswer>[2] = 'en') =>
  readAnswer(value, 60, language).words.map(({ text }) => text);

describe('words of an answer', () => {
  it.each([
    [
      ['hello', 'world', 'how', 'are', 'you'],
      'Hello, world! How are you?',
      'Hello, world! How are you?',
    ],
    [['qué', 'hora', 'es'], '¿Qué hora es?', '¿Qué hora es?'],
    [['he', 'said', 'yes', 'twice'], 'He said “yes” twice.', 'He said “yes” twice.'],
    // not in the text, said twice, and more in the text than in the list
    [['no', 'no', 'uhm', 'no'], 'No, no – no.', 'No, no uhm no.'],
    [['a', 'c'], 'A b c.', 'A c.'],
    [[' Hello', ' there.'], ' Hello there.', 'Hello there.'],
    [['Music', 'so'], '[Music] So', 'Music So'],
  ])('%j are written as in %s', (words, text, expected) => {
    expect(texts({ text, words: timed(...words) }).join(' ')).toBe(expected);
  });

  it('are written as in a text without spaces', () => {
    const words = timed('今天', '天气', '很', '好', '我们', '走');
    expect(texts({ text: '今天天气很好。我们走！', words }, 'zh-Hans')).toEqual([
      ...['今天', '天气', '很', '好。', '我们', '走！'],
    ]);
  });

  it('are made from segments where there are none, in proportion to their letters', () => {
    const segments = [
      { text: ' Four more', start: 2, end: 6 },
      { text: ' words.', start: 10, end: 11 },
    ];
    expect(readAnswer({ text: 'Four more words.', segments }, 60, 'en').words).toMatchObject([
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

  it('may stand in segments, with a probability of their own', () => {
    const words = [{ word: ' Yes', start: 1, end: 2, probability: 0.4 }];
    const segments = [{ text: ' Yes.', start: 1, end: 2, avg_logprob: -0.1, words }];
    expect(readAnswer({ text: 'Yes.', segments }, 60, 'en').words).toEqual([
      { text: 'Yes.', start: 1, end: 2, confidence: 0.4 },
    ]);
  });

  it('stay inside the audio, in order, with confidences that are some', () => {
    const words = [
      { word: 'late', start: 59, end: 75 },
      { word: 'early', start: -2, end: 1 },
      { word: '(', start: 3, end: 4 },
      { word: 'gone', start: 90, end: 80 },
    ];
    const segments = [{ text: 'x', start: -5, end: 100, avg_logprob: 3 }];
    const heard = readAnswer({ text: 'early ( late gone', words, segments }, 60, 'en').words;
    expect(heard).toEqual([
      { text: 'early', start: 0, end: 1, confidence: 1 },
      { text: 'late', start: 59, end: 60, confidence: 1 },
      { text: 'gone', start: 60, end: 60, confidence: 1 },
    ]);
  });

  it('are none where nothing was said', () => {
    expect(texts({ text: '', words: [], segments: [] })).toEqual([]);
    expect(texts({ text: ' ' })).toEqual([]);
    expect(texts({ text: '', words: null, segments: null })).toEqual([]);
  });

  it.each([[null], ['text'], [{}], [{ text: 'a' }], [{ text: '', words: [{ word: 'a' }] }]])(
    'are not found in %j',
    (value) => {
      expect(() => readAnswer(value, 60, 'en')).toThrow(UnreadableAnswer);
    },
  );

  it('come with the language that was heard', () => {
    const of = (language: unknown) => readAnswer({ text: '', language }, 60, null).language;
    expect([of('en'), of('Portuguese'), of('zh'), of('german'), of(''), of(null)]).toEqual([
      ...['en', 'pt', 'zh-Hans', null, undefined, undefined],
    ]);
  });
});

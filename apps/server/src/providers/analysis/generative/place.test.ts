import { describe, expect, it } from 'vitest';
import { containsQuote, findTime } from './place.ts';

describe('quotations', () => {
  it.each([
    ['1,250 euros', 'The paint costs 1,250 euros.', true],
    ['250 euros', 'The paint costs 1,250 euros.', false],
    ['next  FRIDAY', 'By next Friday, then.', true],
    ['May', 'Maybe later.', false],
    ['May', 'Maybe in May.', true],
    ['金曜日', '締め切りは金曜日です。', true],
    ['금요일', '금요일까지 보내 주세요.', true],
    ['', 'Anything.', false],
    ['…', 'Anything…', false],
  ])('are found as whole words: “%s” in “%s” (%s)', (quote, text, expected) => {
    expect(containsQuote(quote, text)).toBe(expected);
  });

  it('have the time of their sentence within the paragraph', () => {
    const text = 'The sky is grey. Ben brings the ladder. It may rain.';
    const timed = text.split(' ').map((word, index) => ({ text: word, start: index / 2 }));
    const paragraph = { id: 'p', start: 0, end: timed.length / 2, text, words: timed };
    expect(findTime('Ben will bring a ladder', paragraph)).toBe(2);
    expect(findTime('Nothing of the kind', paragraph)).toBe(0);
    expect(findTime('ladder', { id: 'p', text: 'ladder', start: 5, end: 6 })).toBe(5);
    const words = [{ text: 'ladder', start: 9 }];
    expect(findTime('ladder', { id: 'p', text: 'ladder', start: 5, end: 6, words })).toBe(6);
  });
});

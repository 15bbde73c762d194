import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWindows, packWindows, unpackOrdinals, unpackWindows } from './windows.ts';

const getWindowTexts = (...contents: string[]) =>
  createWindows(contents.map((content, ordinal) => ({ ordinal, content }))).map(({ text }) => text);

describe('the windows of a transcript', () => {
  it('are its paragraphs: an answer with its question, and any other paragraph with the end of the previous one', () => {
    const long =
      'We pay the landlord on the first, and the electricity in the middle of the month.';
    expect(getWindowTexts('When is the rent due?', 'On the first.', 'Fine.', long, long)).toEqual([
      'When is the rent due?',
      'When is the rent due?\nOn the first.',
      'Fine.',
      `Fine.\n${long}`,
      `electricity in the middle of the month.\n${long}`,
    ]);
    expect(getWindowTexts('家賃はいつですか。', '一日です。')[1]).toBe(
      '家賃はいつですか。\n一日です。',
    );
  });

  it('omit blank paragraphs, but keep the ordinals of the other paragraphs', () => {
    const contents = ['One.', ' \n ', 'Three.'];
    const windows = createWindows(contents.map((content, ordinal) => ({ ordinal, content })));
    expect(windows.map(({ ordinal }) => ordinal)).toEqual([0, 2]);
  });

  it('of a long paragraph end after sentences or words, and cover all of it', () => {
    const sentence = 'The keeper counts forty herons. ';
    const windows = createWindows([{ ordinal: 5, content: sentence.repeat(60) }]);
    expect(windows.length).toBeGreaterThan(2);
    for (const { ordinal, text } of windows) {
      expect(ordinal).toBe(5);
      expect(text.length).toBeLessThan(1000);
      expect(text).toMatch(/^[\w ]*[\w.].*herons\.$/su);
    }
    const own = windows.map(({ text }) => text.split('\n').at(-1));
    expect(own.join(' ')).toBe(sentence.repeat(60).trim());
  });

  it('are short, never split a character, and don’t depend on the text that follows', () => {
    const paragraph = fc.string({ unit: 'grapheme', maxLength: 2000 });
    fc.assert(
      fc.property(fc.array(paragraph, { maxLength: 5 }), paragraph, (contents, last) => {
        const texts = getWindowTexts(...contents);
        for (const text of texts) {
          expect(text.length).toBeLessThanOrEqual(1000);
          expect(text.trim()).not.toBe('');
          expect(text.isWellFormed()).toBe(true);
        }
        expect(getWindowTexts(...contents, last).slice(0, texts.length)).toEqual(texts);
      }),
    );
  });

  it('have a digest that depends only on the text, and can be packed and unpacked', () => {
    const [, second] = createWindows([
      { ordinal: 0, content: 'One.' },
      { ordinal: 1, content: 'Two.' },
    ]);
    const [, moved] = createWindows([
      { ordinal: 7, content: 'One.' },
      { ordinal: 9, content: 'Two.' },
    ]);
    expect(moved?.digest).toBe(second?.digest);
    const windows = [
      { ordinal: 3, digest: '0123456789abcdef' },
      { ordinal: 70_000, digest: 'fedcba9876543210' },
    ];
    expect(unpackWindows(packWindows(windows))).toEqual(windows);
    expect([...unpackOrdinals(packWindows(windows))]).toEqual([3, 70_000]);
  });
});

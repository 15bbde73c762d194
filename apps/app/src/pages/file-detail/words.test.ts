import type { Paragraph } from '@linnet/contract';
import { describe, expect, it } from 'vitest';
import { summaryPoints } from './summary-points.ts';
import { paragraphAtTime, pieces, wordAtOffset, wordAtTime } from './words.ts';

const word = (text: string, start: number, confidence = 0.9) => ({
  text,
  start,
  end: start + 0.4,
  confidence,
});
const paragraph: Paragraph = {
  id: 'p1',
  start_time: 1,
  end_time: 4,
  content: 'The hall, the old hall, is free.',
  is_tag: 0,
  words: [
    word('the', 1),
    word('hall', 1.5, 0.2),
    word('the', 2),
    word('old', 2.4),
    word('hall', 2.8),
    word('is', 3.2),
    word('free', 3.5, 0.1),
  ],
};

describe('pieces', () => {
  it('marks unsure words and keeps every character', () => {
    const found = pieces(paragraph);
    expect(found.map(({ text }) => text).join('')).toBe(paragraph.content);
    expect(found.filter(({ unsure }) => unsure).map(({ text, start }) => [text, start])).toEqual([
      ['hall', 4],
      ['free', 27],
    ]);
  });

  it('is the plain text where there are no words', () => {
    const { words: _none, ...plain } = paragraph;
    expect(pieces(plain)).toEqual([{ text: paragraph.content, unsure: false, start: 0 }]);
  });
});

describe('words by place and by time', () => {
  it('tells the second of two equal words from the first', () => {
    expect(wordAtOffset(paragraph, 5)).toBe(1);
    expect(wordAtOffset(paragraph, 19)).toBe(4);
  });

  it('finds what is being said', () => {
    expect(wordAtTime(paragraph, 0.5)).toBeNull();
    expect(wordAtTime(paragraph, 2.5)).toBe(3);
    expect(wordAtTime(paragraph, 99)).toBe(6);
  });

  it('finds the paragraph that is being said', () => {
    const all = [1, 5, 9].map((start_time) => ({ ...paragraph, start_time }));
    expect([0, 1, 4.9, 5, 100].map((time) => paragraphAtTime(all, time))).toEqual([-1, 0, 0, 1, 2]);
  });
});

describe('summaryPoints', () => {
  it('reads the document, with where it was said', () => {
    const item = { id: 'g1', text: 'It is free.', paragraph_id: 'p1', start_time: 3.5 };
    const summary_json = JSON.stringify({
      version: 1,
      structures: { general: { sections: [{ heading: 'points', items: [item, { id: 'bad' }] }] } },
    });
    expect(summaryPoints({ summary: '', brief: '', summary_json })).toEqual([
      { key: 'g1', text: 'It is free.', time: 3.5 },
    ]);
  });

  it('falls back to the lines of the summary, without the gist above them', () => {
    const points = summaryPoints({
      summary: '- Gist.\n\n• One.\nTwo.',
      brief: 'Gist.',
      summary_json: null,
    });
    expect(points.map(({ text }) => text)).toEqual(['One.', 'Two.']);
  });
});

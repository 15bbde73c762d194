import type { Paragraph } from '@linnet/contract';
import { describe, expect, it } from 'vitest';
import { summaryDocument, summarySections } from '../../../summary-points.ts';
import { paragraphAtTime, splitByConfidence, wordAtOffset, wordAtTime } from './words.ts';

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

describe('splitByConfidence', () => {
  it('marks uncertain words and preserves all characters', () => {
    const pieces = splitByConfidence(paragraph);
    expect(pieces.map(({ text }) => text).join('')).toBe(paragraph.content);
    expect(
      pieces.filter(({ uncertain }) => uncertain).map(({ text, start }) => [text, start]),
    ).toEqual([
      ['hall', 4],
      ['free', 27],
    ]);
  });

  it('returns the plain text if there are no word timestamps', () => {
    const { words: _none, ...plain } = paragraph;
    expect(splitByConfidence(plain)).toEqual([
      { text: paragraph.content, uncertain: false, start: 0 },
    ]);
  });
});

describe('word lookup by offset and by time', () => {
  it('distinguishes two occurrences of the same word', () => {
    expect(wordAtOffset(paragraph, 5)).toBe(1);
    expect(wordAtOffset(paragraph, 19)).toBe(4);
  });

  it('finds the word spoken at a given time', () => {
    expect(wordAtTime(paragraph, 0.5)).toBeNull();
    expect(wordAtTime(paragraph, 2.5)).toBe(3);
    expect(wordAtTime(paragraph, 99)).toBe(6);
  });

  it('finds the paragraph spoken at a given time', () => {
    const all = [1, 5, 9].map((start_time) => ({ ...paragraph, start_time }));
    expect([0, 1, 4.9, 5, 100].map((time) => paragraphAtTime(all, time))).toEqual([-1, 0, 0, 1, 2]);
  });
});

describe('summarySections', () => {
  const item = { id: 'g1', text: 'It is free.', paragraph_id: 'p1', start_time: 3.5 };
  const json = JSON.stringify({
    version: 1,
    structures: {
      general: {
        sections: [
          { heading: 'overview', items: [item] },
          { heading: 'decisions', items: [] },
        ],
      },
    },
  });

  it('returns the points with their sources, without empty headings', () => {
    const sections = summarySections({ summary: '', brief: '' }, summaryDocument(json), 'general');
    expect(sections).toEqual([
      {
        key: '0 overview',
        heading: 'overview',
        points: [{ key: 'g1', text: 'It is free.', time: 3.5, paragraph: 'p1' }],
      },
    ]);
  });

  it('returns nothing for a structure that was not generated', () => {
    const record = { summary: 'One.', brief: '' };
    expect(summarySections(record, summaryDocument(json), 'meeting')).toEqual([]);
  });

  it('ignores documents of an unknown version', () => {
    expect(summaryDocument(null)).toBeNull();
    expect(summaryDocument(JSON.stringify({ version: 2, structures: {} }))).toBeNull();
    expect(summaryDocument('null')).toBeNull();
  });

  it('defaults to an extractive, general summary for old data', () => {
    expect(summaryDocument(json)).toMatchObject({
      kind: 'extractive',
      language: '',
      structure: 'general',
    });
    const complete = { ...JSON.parse(json), kind: 'generative', language: 'fr', structure: 'call' };
    expect(summaryDocument(JSON.stringify(complete))).toMatchObject(complete);
    expect(summaryDocument(json)).toMatchObject({ todos: [], topics: [], looked_for: [] });
  });

  it('distinguishes custom sections with the same name', () => {
    const sections = [1, 2].map(() => ({ heading: 'River', items: [item] }));
    const stored = { version: 1, structures: { custom: { sections } } };
    const document = summaryDocument(JSON.stringify(stored));
    const keys = summarySections({ summary: '', brief: '' }, document, 'custom').map(
      ({ key }) => key,
    );
    expect(new Set(keys).size).toBe(2);
  });

  it('falls back to the lines of the summary, without the gist', () => {
    const record = { summary: '- Gist.\n\n• One.\nTwo.', brief: 'Gist.' };
    const [section] = summarySections(record, null, 'general');
    expect(section?.points.map(({ text }) => text)).toEqual(['One.', 'Two.']);
  });
});

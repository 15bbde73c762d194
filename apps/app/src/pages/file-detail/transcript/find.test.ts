import type { Paragraph } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { describe, expect, it } from 'vitest';
import { findMatches, replaceMatches } from './find.ts';

const createParagraphs = (...contents: string[]): Paragraph[] =>
  contents.map((content, index) => ({
    id: `p${index}`,
    start_time: index,
    end_time: index + 1,
    content,
    is_tag: 0,
  }));

describe('findMatches and replaceMatches', () => {
  it.each([
    ['anna', ['Anna met anna.', 'Hannah'], ['p0 0', 'p0 9', 'p1 1']],
    ['a.c', ['abc a.c'], ['p0 4']],
    ['(', ['one (two)'], ['p0 4']],
    ['[a-z]', ['x [a-z]'], ['p0 2']],
    ['会议', ['明天会议，后天会议'], ['p0 2', 'p0 7']],
    ['المفتاح', ['من معه المفتاح؟'], ['p0 7']],
    ['', ['anything'], []],
    ['absent', ['anything'], []],
  ])('find "%s"', (query, contents, hits) => {
    const matches = findMatches(createParagraphs(...contents), query);
    expect(matches.map(({ paragraph, start }) => `${paragraph} ${start}`)).toEqual(hits);
  });

  it('replace matches of any length, and leave other paragraphs unchanged', () => {
    const paragraphs = createParagraphs('Anna met anna.', 'Nobody.', 'Anna');
    const texts = replaceMatches(paragraphs, findMatches(paragraphs, 'anna'), 'Miriam $&');
    expect([...texts]).toEqual([
      ['p2', 'Miriam $&'],
      ['p0', 'Miriam $& met Miriam $&.'],
    ]);
  });

  it('replace with an empty string', () => {
    const paragraphs = createParagraphs('well, well, then');
    expect(replaceMatches(paragraphs, findMatches(paragraphs, 'well, '), '').get('p0')).toBe(
      'then',
    );
  });

  it('do not change paragraphs that would exceed the server’s length limit', () => {
    const paragraphs = createParagraphs(
      `ab${'a'.repeat(limits.paragraph.contentMaxLength - 2)}`,
      'ab',
    );
    const texts = replaceMatches(paragraphs, findMatches(paragraphs, 'b'), 'bb');
    expect([...texts]).toEqual([['p1', 'abb']]);
  });
});

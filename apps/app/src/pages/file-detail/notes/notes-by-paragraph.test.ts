import { expect, it } from 'vitest';
import { notesByParagraph } from './notes-by-paragraph.ts';

const paragraph = (id: string, start: number) => ({
  ...{ id, start_time: start, end_time: start + 1 },
  ...{ content: '', is_tag: 0 as const },
});
const note = (id: string, time: number) => ({ id, time, text: id });

it('shows each note beside the paragraph at its time, in any transcript of the recording', () => {
  const notes = [note('before', 0), note('within', 6), note('pause', 9), note('after', 99)];
  const idsByParagraph = (paragraphs: Parameters<typeof notesByParagraph>[1]) =>
    [...notesByParagraph(notes, paragraphs)].map(([id, placed]) => [id, placed.map((n) => n.id)]);
  expect(idsByParagraph([paragraph('a', 2), paragraph('b', 5), paragraph('c', 10)])).toEqual([
    ['a', ['before']],
    ['b', ['within', 'pause']],
    ['c', ['after']],
  ]);
  expect(idsByParagraph([paragraph('A', 1), paragraph('B', 8)])).toEqual([
    ['A', ['before', 'within']],
    ['B', ['pause', 'after']],
  ]);
  expect(idsByParagraph([])).toEqual([]);
});

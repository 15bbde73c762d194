import { describe, expect, it } from 'vitest';
import { source, target } from '../../../test/carry-over.ts';
import { carriedLabels, carrySpeakers } from './speakers.ts';
import type { SourceParagraph } from './types.ts';

describe('speakers', () => {
  const paragraphs = (labels: readonly (string | null)[]) =>
    labels.map((speaker, n) => ({ id: `${n}`, start: n * 10, end: n * 10 + 10, speaker }));
  const from = (labels: readonly (string | null)[]) =>
    paragraphs(labels).map((one) => source({ before: 'one', ...one }));
  const to = (labels: readonly (string | null)[]) =>
    paragraphs(labels).map((one) => target({ content: 'one', ...one }));

  it('keep their names under other labels', () => {
    const { names, unplaced } = carrySpeakers(from(['1', '2', '1']), to(['2', '1', '2']), {
      1: 'Ann',
      2: 'Ben',
    });
    expect([names, unplaced]).toEqual([{ 2: 'Ann', 1: 'Ben' }, []]);
  });

  it('are listed if they share a label', () => {
    const { names, unplaced } = carrySpeakers(from(['1', '2', '1']), to(['1', '1', '1']), {
      1: 'Ann',
      2: 'Ben',
    });
    expect(names).toEqual({ 1: 'Ann' });
    expect(unplaced).toEqual([{ kind: 'speaker', text: 'Ben', time: 10 }]);
    expect([...carriedLabels(from(['1', '2', '1']), to(['1', '1', '1']))]).toEqual([['1', '1']]);
  });

  it('keep a separate label if only the user distinguished them', () => {
    const [first, second, third] = from(['1', '3', '1']) as [
      SourceParagraph,
      SourceParagraph,
      SourceParagraph,
    ];
    const all = [first, { ...second, isAssigned: true }, third];
    const goals = to(['3', '3', '3']);
    const { names, assigned } = carrySpeakers(all, goals, { 1: 'Ann', 3: 'Cy' });
    expect(names).toEqual({ 3: 'Ann', 2: 'Cy' });
    expect(assigned).toEqual([{ paragraph: '1', value: '2', sources: ['1'] }]);
    expect([...carriedLabels(all, goals)]).toEqual([
      ['1', '3'],
      ['3', '2'],
    ]);
  });

  it('keep their labels after a part of the transcript is transcribed again', () => {
    const [first, second] = from(['1', '3']) as [SourceParagraph, SourceParagraph];
    const all = [first, { ...second, end: 60, isAssigned: true }];
    // The user distinguished the speaker after the range was recognized, or before.
    for (const label of ['1', '3']) {
      const { assigned, unplaced } = carrySpeakers(all, to(['1', label]), {}, 'same');
      expect(assigned).toEqual([{ paragraph: '1', value: '3', sources: ['1'] }]);
      expect(unplaced).toEqual([]);
    }
  });
});

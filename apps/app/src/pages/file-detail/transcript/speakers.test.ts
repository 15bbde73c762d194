import type { Paragraph } from '@linnet/contract';
import { expect, it } from 'vitest';
import { createDismissal, paragraphsFrom } from './speakers.ts';

it.each([
  ['has an edit of its own', true, { type: 'recording.dismissProposal' }],
  ['is an empty name on an older server', false, { type: 'recording.speaker', name: '' }],
])('dismissing a proposed name %s', (_, hasOwnEdit, edit) => {
  expect(createDismissal('r', '1', hasOwnEdit)).toEqual({ ...edit, recording: 'r', speaker: '1' });
});

it('splits a speaker, starting with a paragraph', () => {
  const paragraphs = ['1', '2', '1', '2', '1'].map((speaker, n) => {
    return {
      id: `p${n}`,
      start_time: n,
      end_time: n + 1,
      content: '',
      is_tag: 0,
      speaker,
    } as const;
  });
  const idsFrom = (id: string, speaker: string) =>
    paragraphsFrom(paragraphs, { ...paragraphs[0], id, speaker } as Paragraph).map(
      (item) => item.id,
    );
  expect(idsFrom('p2', '1')).toEqual(['p2', 'p4']);
  expect(idsFrom('p3', '2')).toEqual(['p3']);
  expect(idsFrom('gone', '2')).toEqual([]);
});

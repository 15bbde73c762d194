import { expect, it } from 'vitest';
import type { NoteDraft } from '../ports/drafts.ts';
import { assignNotes } from './note-queue.ts';

const note = (id: string, recording: string | null, time = 0): NoteDraft => ({
  ...{ id, recording, time },
  text: `Note ${id}`,
});
const none = { typed: null, pending: [] };

it('notes typed in advance belong to the microphone’s next recording', () => {
  const before = { typed: note('b', null), pending: [note('a', null)] };
  expect(assignNotes(before, null, true)).toEqual(before);
  expect(assignNotes(before, 'r', true)).toEqual({
    typed: note('b', 'r'),
    pending: [note('a', 'r')],
  });
});

it('notes typed in advance aren’t added to a recorder’s recording', () => {
  const { typed, pending } = assignNotes(
    { typed: note('b', null), pending: [note('a', null)] },
    'r',
    false,
  );
  expect([typed, pending]).toEqual([null, [note('a', null), note('b', null)]]);
});

it('a note still being typed when its recording stops is added to that recording', () => {
  const before = { typed: note('a', 'r', 7), pending: [] };
  expect(assignNotes(before, 'r', true)).toEqual(before);
  expect(assignNotes(before, null, true)).toEqual({ typed: null, pending: [note('a', 'r', 7)] });
  expect(assignNotes(before, 'next', true).pending).toEqual([note('a', 'r', 7)]);
  const blank = { typed: { ...note('a', 'r'), text: ' ' }, pending: [] };
  expect(assignNotes(blank, null, true)).toEqual(none);
});

it('a note interrupted while being added stays with its recording', () => {
  const before = { typed: null, pending: [note('a', 'r')] };
  expect(assignNotes(before, 'next', true)).toEqual(before);
});

import { expect, it } from 'vitest';
import { dismissalOf } from './speakers.ts';

it.each([
  ['has an edit of its own', true, { type: 'recording.dismissProposal' }],
  ['is an empty name on an older server', false, { type: 'recording.speaker', name: '' }],
])('dismissing a proposed name %s', (_, hasOwnEdit, edit) => {
  expect(dismissalOf('r', '1', hasOwnEdit)).toEqual({ ...edit, recording: 'r', speaker: '1' });
});

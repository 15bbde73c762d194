import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordingEdit } from './edits.ts';
import { type EditedFields, editParagraph, editRecording } from './reducer.ts';
import { contentRegister, getRegister, getRegisterPrefix } from './registers.ts';

const recording = 'r';
const text = fc.string({ maxLength: 6 });
const name = fc.constantFrom('a', 'b', '__proto__', 'constructor');
const marker = fc.record({ id: name, time: fc.nat(3), label: text });
const note = fc.record({ id: name, time: fc.nat(3), text });

const change = { kind: fc.constant('edit' as const), text, time: fc.nat(3) };

const emptyFields: EditedFields = {
  tags: [],
  words: [],
  markers: [],
  notes: [],
  speakers: {},
  proposals: {},
  ticks: {},
  unplaced: [],
};

const fields: fc.Arbitrary<EditedFields> = fc.record({
  tags: fc.uniqueArray(name),
  words: fc.uniqueArray(name),
  markers: fc.uniqueArray(marker, { selector: ({ id }) => id }),
  notes: fc.uniqueArray(note, { selector: ({ id }) => id }),
  speakers: fc.dictionary(name, text, { noNullPrototype: true }),
  proposals: fc.dictionary(name, text, { noNullPrototype: true }),
  ticks: fc.dictionary(name, fc.constant(true), { noNullPrototype: true }),
  unplaced: fc.uniqueArray(fc.record({ id: name, ...change }), { selector: ({ id }) => id }),
});

const edits: fc.Arbitrary<RecordingEdit> = fc.oneof(
  fc.record({ tag: name, on: fc.boolean() }).map((rest) => {
    return { type: 'recording.tag' as const, recording, ...rest };
  }),
  fc
    .record({ word: fc.oneof(name, fc.constantFrom(' Ann  Lee ', ', ', '?')), on: fc.boolean() })
    .map((rest) => ({ type: 'recording.word' as const, recording, ...rest })),
  fc.record({ marker: name, value: fc.option(marker) }).map((rest) => {
    return { type: 'recording.marker' as const, recording, ...rest };
  }),
  fc.record({ note: name, value: fc.option(note) }).map((rest) => {
    return { type: 'recording.note' as const, recording, ...rest };
  }),
  fc.record({ speaker: name, name: fc.constantFrom('', ' ', 'Ann ') }).map((rest) => {
    return { type: 'recording.speaker' as const, recording, ...rest };
  }),
  name.map((speaker) => ({ type: 'recording.dismissProposal' as const, recording, speaker })),
  fc.record({ item: name, done: fc.boolean() }).map((rest) => {
    return { type: 'recording.tick' as const, recording, ...rest };
  }),
  fc.record({ item: name }).map((rest) => {
    return { type: 'recording.dismiss' as const, recording, ...rest };
  }),
  fc.record({ item: name, restored: fc.record(change) }).map((rest) => {
    return { type: 'recording.dismiss' as const, recording, ...rest };
  }),
);

describe('editRecording', () => {
  it('is idempotent', () => {
    fc.assert(
      fc.property(fields, edits, (before, edit) => {
        const once = { ...before, ...editRecording(before, edit) };
        expect({ ...once, ...editRecording(once, edit) }).toEqual(once);
      }),
    );
  });

  it('changes only the edited field', () => {
    const field = {
      tag: ['tags'],
      word: ['words'],
      marker: ['markers'],
      note: ['notes'],
      // Setting a name resolves the proposal.
      speaker: ['speakers', 'proposals'],
      dismissProposal: ['proposals'],
      tick: ['ticks'],
      dismiss: ['unplaced'],
    };
    fc.assert(
      fc.property(fields, edits, (before, edit) => {
        const edited = field[edit.type.slice('recording.'.length) as keyof typeof field];
        const changed = Object.keys(editRecording(before, edit));
        expect(changed.filter((key) => !edited.includes(key))).toEqual([]);
      }),
    );
  });

  it.each(['Anna', 'Ben', ''])('resolves the name proposed for a speaker with “%s”', (name) => {
    const proposals = { 1: 'Anna', 2: 'Ben' };
    const edit = { type: 'recording.speaker' as const, recording, speaker: '1', name };
    expect(editRecording({ ...emptyFields, proposals }, edit)).toEqual({
      speakers: name === '' ? {} : { 1: name },
      proposals: { 2: 'Ben' },
    });
  });

  it('dismisses the name proposed for a speaker', () => {
    const before = { ...emptyFields, speakers: { 1: 'Anna' }, proposals: { 1: 'Ann', 2: 'Ben' } };
    const edit = { type: 'recording.dismissProposal' as const, recording, speaker: '1' };
    expect(editRecording(before, edit)).toEqual({ proposals: { 2: 'Ben' } });
    expect(editRecording(emptyFields, edit)).toEqual({});
  });

  it('keeps tags, markers and notes unique, and markers and notes sorted by time', () => {
    fc.assert(
      fc.property(fields, edits, (before, edit) => {
        const { tags = [], markers = [], notes = [] } = editRecording(before, edit);
        expect(new Set(tags).size).toBe(tags.length);
        for (const items of [markers, notes]) {
          expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
          const times = items.map(({ time }) => time);
          expect(times).toEqual([...times].sort((a, b) => a - b));
        }
      }),
    );
  });

  it('restores a dismissed change', () => {
    const item = { id: 'a', kind: 'edit' as const, text: 'We met Meier.', time: 1 };
    const before = { ...emptyFields, unplaced: [item] };
    const dismissal = { type: 'recording.dismiss' as const, recording, item: 'a' };
    const after = { ...before, ...editRecording(before, dismissal) };
    expect(after.unplaced).toEqual([]);
    const { id, ...restored } = item;
    expect(editRecording(after, { ...dismissal, restored })).toEqual({ unplaced: [item] });
  });

  it('trims names and tags, and sets flags', () => {
    const before = { ...emptyFields, tags: ['b'] };
    const edit = (rest: object) => editRecording(before, { recording, ...rest } as RecordingEdit);
    expect(edit({ type: 'recording.rename', name: ' Choir ' })).toEqual({ name: 'Choir' });
    expect(edit({ type: 'recording.tag', tag: ' a ', on: true })).toEqual({ tags: ['b', 'a'] });
    expect(edit({ type: 'recording.archive', on: true })).toEqual({ is_archived: 1 });
    expect(edit({ type: 'recording.archive', on: false })).toEqual({ is_archived: 0 });
    expect(edit({ type: 'recording.protect', on: true })).toEqual({ is_protected: 1 });
    expect(edit({ type: 'recording.bin' })).toEqual({ is_del: 1 });
    expect(edit({ type: 'recording.recover' })).toEqual({ is_del: 0 });
  });
});

it('editParagraph returns the field that the edit sets', () => {
  const target = { recording, paragraph: 'p' };
  const edited = editParagraph({ type: 'paragraph.edit', ...target, content: 'New' });
  expect(edited).toEqual({ content: 'New' });
  const unnamed = editParagraph({ type: 'paragraph.speaker', ...target, speaker: null });
  expect(unnamed).toEqual({ speaker: null });
});

describe('registers', () => {
  const rename = (of: string) => getRegister({ type: 'recording.rename', recording: of, name: '' });

  it('have a prefix that is unique to their recording', () => {
    const anyName = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' });
    fc.assert(
      fc.property(anyName, anyName, (one, other) => {
        expect(rename(one).startsWith(getRegisterPrefix(one))).toBe(true);
        expect(rename(other).startsWith(getRegisterPrefix(one))).toBe(one === other);
      }),
    );
  });

  it('are the same for edits that conflict', () => {
    const life = (type: 'bin' | 'recover' | 'delete') =>
      getRegister({ type: `recording.${type}`, recording });
    expect(new Set([life('bin'), life('recover'), life('delete')]).size).toBe(1);
    const speaker = { recording, speaker: '1' };
    const naming = getRegister({ type: 'recording.speaker', ...speaker, name: '' });
    expect(getRegister({ type: 'recording.dismissProposal', ...speaker })).not.toBe(naming);
    const edit = { type: 'paragraph.edit', recording, paragraph: 'AB', content: '' } as const;
    expect(getRegister(edit)).toBe(contentRegister(recording, 'ab'));
  });
});

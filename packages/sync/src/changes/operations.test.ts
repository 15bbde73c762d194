import type { Operation, Paragraph } from '@linnet/contract';
import { isRecordingEdit } from '@linnet/contract/operations';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyToRecord,
  type Editable,
  rebaseParagraph,
  rebaseRecord,
  toOperation,
} from './operations.ts';

const recording = 'r';
const oneOf = (...names: string[]) => fc.constantFrom(...names);
const text = fc.string({ maxLength: 8 });

const record: fc.Arbitrary<Editable> = fc.record({
  title: text,
  create_date: oneOf('2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'),
  tags: fc.uniqueArray(oneOf('a', 'b', 'c')),
  words: fc.uniqueArray(oneOf('a', 'b', 'c')),
  place: fc.constantFrom(null, { latitude: 1, longitude: 2, name: 'here' }),
  language: fc.constantFrom(null, 'fr' as const, 'auto' as const),
  speakers: fc.dictionary(oneOf('S1', 'S2'), text),
  proposals: fc.dictionary(oneOf('S1', 'S2'), text),
  markers: fc.uniqueArray(fc.record({ id: oneOf('m', 'n'), time: fc.nat(3), label: text }), {
    selector: ({ id }) => id,
  }),
  notes: fc.uniqueArray(fc.record({ id: oneOf('m', 'n'), time: fc.nat(3), text }), {
    selector: ({ id }) => id,
  }),
  ticks: fc.dictionary(oneOf('t', 'u'), fc.constant(true)),
  mind_map: fc.constant(null),
  unplaced: fc.uniqueArray(
    fc.record({
      id: oneOf('c', 'd'),
      kind: fc.constantFrom('edit' as const, 'speaker' as const),
      text,
      time: fc.nat(3),
    }),
    { selector: ({ id }) => id },
  ),
  is_del: fc.constantFrom(0, 1),
  is_protected: fc.constantFrom(0, 1),
  is_archived: fc.constantFrom(0, 1),
});
const paragraph: fc.Arbitrary<Paragraph> = fc
  .record({ content: text, speaker: text, is_tag: fc.constantFrom(0 as const, 1 as const) })
  .map((fields) => ({ id: 'p', start_time: 0, end_time: 1, ...fields }));

const marker = fc.record({ id: oneOf('m', 'n'), time: fc.nat(3), label: text });
const note = fc.record({ id: oneOf('m', 'n'), time: fc.nat(3), text });
const edit = fc.oneof(
  fc.record({ type: fc.constant('recording.rename' as const), name: text }),
  fc.record({
    type: fc.constant('recording.tag' as const),
    tag: oneOf('a', 'b', 'c', 'd'),
    on: fc.boolean(),
  }),
  fc.constant({ type: 'recording.place' as const, place: null }),
  fc.record({
    type: fc.constant('recording.language' as const),
    language: fc.constantFrom(null, 'fr', 'de'),
  }),
  fc.record({
    type: fc.constant('recording.speaker' as const),
    speaker: oneOf('S1', 'S2', '__proto__'),
    name: oneOf('', ' ', 'Ann', 'Bo '),
  }),
  fc.record({
    type: fc.constant('recording.dismissProposal' as const),
    speaker: oneOf('S1', 'S2', '__proto__'),
  }),
  fc.record({
    type: fc.constant('recording.marker' as const),
    marker: oneOf('m', 'n', 'o'),
    value: fc.option(marker),
  }),
  fc.record({
    type: fc.constant('recording.note' as const),
    note: oneOf('m', 'n', 'o'),
    value: fc.option(note),
  }),
  fc.record({
    type: fc.constant('recording.tick' as const),
    item: oneOf('t', 'u'),
    done: fc.boolean(),
  }),
  fc.record({ type: fc.constant('recording.dismiss' as const), item: oneOf('c', 'd') }),
  fc.record({
    type: fc.constant('recording.mindMap' as const),
    mind_map: fc.option(text.map((topic) => [{ id: 'n', parentid: '', topic }])),
  }),
  fc.record({ type: fc.constant('recording.archive' as const), on: fc.boolean() }),
  fc.record({ type: fc.constant('recording.protect' as const), on: fc.boolean() }),
  fc.record({ type: oneOf('recording.bin', 'recording.recover') as fc.Arbitrary<'recording.bin'> }),
  fc.record({
    type: fc.constant('paragraph.edit' as const),
    paragraph: oneOf('p', 'q'),
    content: text,
  }),
  fc.record({
    type: fc.constant('paragraph.mark' as const),
    paragraph: oneOf('p', 'q'),
    is_tag: fc.constantFrom(0 as const, 1 as const),
  }),
  fc.record({
    type: fc.constant('paragraph.speaker' as const),
    paragraph: oneOf('p', 'q'),
    speaker: fc.option(text),
  }),
);
const operations: fc.Arbitrary<Operation[]> = fc.array(
  edit.map((fields) => toOperation({ ...fields, recording }, 0, '2026-01-01T00:00:00.000Z')),
  { maxLength: 12 },
);

/** Deep-freezes a value, so that any code that modifies it throws. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

/** Sorts the tags, because their order depends on when each was first added. */
const withSortedTags = (edited: Editable) => ({ ...edited, tags: [...edited.tags].sort() });

describe('rebasing operations on confirmed state', () => {
  it('has no further effect if the server already applied the operations', () => {
    fc.assert(
      fc.property(record, paragraph, operations, (baseRecord, baseParagraph, ops) => {
        const rebasedRecord = rebaseRecord(baseRecord, ops);
        expect(withSortedTags(rebaseRecord(rebasedRecord, ops))).toEqual(
          withSortedTags(rebasedRecord),
        );
        const rebasedParagraph = rebaseParagraph(baseParagraph, ops);
        expect(rebaseParagraph(rebasedParagraph, ops)).toEqual(rebasedParagraph);
      }),
    );
  });

  it('gives the same result whether or not the server already applied the first operations', () => {
    fc.assert(
      fc.property(
        record,
        paragraph,
        operations,
        fc.nat(12),
        (baseRecord, baseParagraph, ops, appliedCount) => {
          const applied = ops.slice(0, appliedCount);
          const pendingOps = ops.slice(appliedCount);
          expect(rebaseRecord(rebaseRecord(baseRecord, applied), pendingOps)).toEqual(
            rebaseRecord(baseRecord, ops),
          );
          expect(rebaseParagraph(rebaseParagraph(baseParagraph, applied), pendingOps)).toEqual(
            rebaseParagraph(baseParagraph, ops),
          );
        },
      ),
    );
  });

  it('keeps changes that another device made to other fields', () => {
    fc.assert(
      fc.property(record, operations, (base, ops) => {
        const changedElsewhere = { ...base, ticks: { elsewhere: true }, tags: [...base.tags, 'z'] };
        const rebased = rebaseRecord(changedElsewhere, ops);
        expect(rebased.ticks.elsewhere).toBe(true);
        expect(rebased.tags).toContain('z');
        expect({ ...rebased, ticks: {}, tags: [] }).toEqual({
          ...rebaseRecord(base, ops),
          ticks: {},
          tags: [],
        });
      }),
    );
  });

  it('doesn’t modify its arguments', () => {
    fc.assert(
      fc.property(record, paragraph, operations, (baseRecord, baseParagraph, ops) => {
        rebaseRecord(deepFreeze(baseRecord), deepFreeze(ops));
        rebaseParagraph(deepFreeze(baseParagraph), ops);
      }),
    );
  });

  it('keeps tags and markers unique, sorts markers by time, and removes blank speaker names', () => {
    fc.assert(
      fc.property(record, operations, (base, ops) => {
        const { tags, markers } = rebaseRecord(base, ops);
        expect(new Set(tags).size).toBe(tags.length);
        expect(new Set(markers.map(({ id }) => id)).size).toBe(markers.length);
        const hasMarkerEdit = ops.some(({ type }) => type === 'recording.marker');
        const times = markers.map(({ time }) => time);
        if (hasMarkerEdit) expect(times).toEqual([...times].sort((a, b) => a - b));
        for (const op of ops.filter(isRecordingEdit)) {
          const edited = applyToRecord(base, op);
          if (op.type === 'recording.speaker') {
            expect(Object.hasOwn(edited.speakers, op.speaker)).toBe(op.name.trim() !== '');
          }
        }
      }),
    );
  });

  it('gives every operation its own id', () => {
    const createOperation = () =>
      toOperation({ type: 'recording.bin', recording }, 7, '2026-01-01T00:00:00Z');
    expect(createOperation()).toMatchObject({ base_rev: 7, at: '2026-01-01T00:00:00Z', recording });
    expect(createOperation().op_id).not.toBe(createOperation().op_id);
  });
});

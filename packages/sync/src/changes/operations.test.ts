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
const few = (...names: string[]) => fc.constantFrom(...names);
const text = fc.string({ maxLength: 8 });

const record: fc.Arbitrary<Editable> = fc.record({
  title: text,
  tags: fc.uniqueArray(few('a', 'b', 'c')),
  place: fc.constantFrom(null, { latitude: 1, longitude: 2, name: 'here' }),
  speakers: fc.dictionary(few('S1', 'S2'), text),
  markers: fc.uniqueArray(fc.record({ id: few('m', 'n'), time: fc.nat(3), label: text }), {
    selector: ({ id }) => id,
  }),
  ticks: fc.dictionary(few('t', 'u'), fc.constant(true)),
  mind_map: fc.constant(null),
  is_del: fc.constantFrom(0, 1),
});
const paragraph: fc.Arbitrary<Paragraph> = fc
  .record({ content: text, speaker: text, is_tag: fc.constantFrom(0 as const, 1 as const) })
  .map((made) => ({ id: 'p', start_time: 0, end_time: 1, ...made }));

const marker = fc.record({ id: few('m', 'n'), time: fc.nat(3), label: text });
const edit = fc.oneof(
  fc.record({ type: fc.constant('recording.rename' as const), name: text }),
  fc.record({
    type: fc.constant('recording.tag' as const),
    tag: few('a', 'b', 'c', 'd'),
    on: fc.boolean(),
  }),
  fc.constant({ type: 'recording.place' as const, place: null }),
  fc.record({
    type: fc.constant('recording.speaker' as const),
    speaker: few('S1', 'S2', '__proto__'),
    name: few('', ' ', 'Ann', 'Bo '),
  }),
  fc.record({
    type: fc.constant('recording.marker' as const),
    marker: few('m', 'n', 'o'),
    value: fc.option(marker),
  }),
  fc.record({
    type: fc.constant('recording.tick' as const),
    item: few('t', 'u'),
    done: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('recording.mindMap' as const),
    mind_map: fc.option(text.map((topic) => [{ id: 'n', parentid: '', topic }])),
  }),
  fc.record({ type: few('recording.bin', 'recording.recover') as fc.Arbitrary<'recording.bin'> }),
  fc.record({
    type: fc.constant('paragraph.edit' as const),
    paragraph: few('p', 'q'),
    content: text,
  }),
  fc.record({
    type: fc.constant('paragraph.mark' as const),
    paragraph: few('p', 'q'),
    is_tag: fc.constantFrom(0 as const, 1 as const),
  }),
  fc.record({
    type: fc.constant('paragraph.speaker' as const),
    paragraph: few('p', 'q'),
    speaker: fc.option(text),
  }),
);
const operations: fc.Arbitrary<Operation[]> = fc.array(
  edit.map((made) => toOperation({ ...made, recording }, 0, '2026-01-01T00:00:00.000Z')),
  { maxLength: 12 },
);

/** Anything that writes to it fails. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}

/** Tags keep the place where they were first given; which comes first may depend on what was there. */
const withoutOrder = (edited: Editable) => ({ ...edited, tags: [...edited.tags].sort() });

describe('operations on top of what the server has', () => {
  it('come to the same when the server has them already', () => {
    fc.assert(
      fc.property(record, paragraph, operations, (base, spoken, ops) => {
        const once = rebaseRecord(base, ops);
        expect(withoutOrder(rebaseRecord(once, ops))).toEqual(withoutOrder(once));
        const heard = rebaseParagraph(spoken, ops);
        expect(rebaseParagraph(heard, ops)).toEqual(heard);
      }),
    );
  });

  it('come to the same whether the server has the first of them or not', () => {
    fc.assert(
      fc.property(record, paragraph, operations, fc.nat(12), (base, spoken, ops, some) => {
        const [had, left] = [ops.slice(0, some), ops.slice(some)];
        expect(rebaseRecord(rebaseRecord(base, had), left)).toEqual(rebaseRecord(base, ops));
        expect(rebaseParagraph(rebaseParagraph(spoken, had), left)).toEqual(
          rebaseParagraph(spoken, ops),
        );
      }),
    );
  });

  it('keep what somebody else changed beside them', () => {
    fc.assert(
      fc.property(record, operations, (base, ops) => {
        const elsewhere = { ...base, ticks: { elsewhere: true }, tags: [...base.tags, 'z'] };
        const shown = rebaseRecord(elsewhere, ops);
        expect(shown.ticks.elsewhere).toBe(true);
        expect(shown.tags).toContain('z');
        expect({ ...shown, ticks: {}, tags: [] }).toEqual({
          ...rebaseRecord(base, ops),
          ticks: {},
          tags: [],
        });
      }),
    );
  });

  it('leave what they are applied to as it was', () => {
    fc.assert(
      fc.property(record, paragraph, operations, (base, spoken, ops) => {
        rebaseRecord(frozen(base), frozen(ops));
        rebaseParagraph(frozen(spoken), ops);
      }),
    );
  });

  it('keep tags, markers and names in order', () => {
    fc.assert(
      fc.property(record, operations, (base, ops) => {
        const { tags, markers } = rebaseRecord(base, ops);
        expect(new Set(tags).size).toBe(tags.length);
        expect(new Set(markers.map(({ id }) => id)).size).toBe(markers.length);
        const touched = ops.some(({ type }) => type === 'recording.marker');
        const times = markers.map(({ time }) => time);
        if (touched) expect(times).toEqual([...times].sort((a, b) => a - b));
        for (const op of ops.filter(isRecordingEdit)) {
          const after = applyToRecord(base, op);
          if (op.type === 'recording.speaker') {
            expect(Object.hasOwn(after.speakers, op.speaker)).toBe(op.name.trim() !== '');
          }
        }
      }),
    );
  });

  it('have ids of their own', () => {
    const made = () => toOperation({ type: 'recording.bin', recording }, 7, '2026-01-01T00:00:00Z');
    expect(made()).toMatchObject({ base_rev: 7, at: '2026-01-01T00:00:00Z', recording });
    expect(made().op_id).not.toBe(made().op_id);
  });
});

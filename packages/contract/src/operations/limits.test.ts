import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { limits } from '../limits.ts';
import { operation } from '../schemas/sync.ts';
import { exceededByChange, exceededByEdit } from './limits.ts';

const { recording, paragraph, setting, vocabulary } = limits;
const text = (length: number) => 'x'.repeat(length);
const coordinates = { latitude: 48, longitude: 9 };

/**
 * The parts of edits that have a limit: name, maximum size, a function that creates an edit, and the limit it exceeds.
 */
const sized: [string, number, (size: number) => object, string][] = [
  ['name', recording.nameMaxLength, (n) => ({ type: 'recording.rename', name: text(n) }), 'text'],
  [
    'tag',
    recording.tagMaxLength,
    (n) => ({ type: 'recording.tag', tag: text(n), on: true }),
    'text',
  ],
  [
    'place name',
    recording.nameMaxLength,
    (n) => ({ type: 'recording.place', place: { ...coordinates, name: text(n) } }),
    'text',
  ],
  [
    'speaker name',
    recording.speakerMaxLength,
    (n) => ({ type: 'recording.speaker', speaker: 'S1', name: text(n) }),
    'text',
  ],
  [
    'transcript speaker label',
    recording.speakerMaxLength,
    (n) => ({ type: 'recording.speaker', speaker: text(n), name: 'Ann' }),
    'text',
  ],
  [
    'label of a dismissed proposal',
    recording.speakerMaxLength,
    (n) => ({ type: 'recording.dismissProposal', speaker: text(n) }),
    'text',
  ],
  [
    'marker label',
    recording.nameMaxLength,
    (n) => ({ type: 'recording.marker', marker: 'm', value: { id: 'm', time: 1, label: text(n) } }),
    'text',
  ],
  [
    'note',
    recording.noteMaxLength,
    (n) => ({ type: 'recording.note', note: 'n', value: { id: 'n', time: 1, text: text(n) } }),
    'text',
  ],
  [
    'restored change',
    recording.unplacedMaxLength,
    (n) => ({
      type: 'recording.dismiss',
      item: 'a',
      restored: { kind: 'edit', text: text(n), time: 1 },
    }),
    'text',
  ],
  [
    'mind map topic',
    recording.topicMaxLength,
    (n) => ({ type: 'recording.mindMap', mind_map: [{ id: 'a', parentid: '', topic: text(n) }] }),
    'text',
  ],
  [
    'number of topics',
    recording.mindNodes,
    (n) => ({
      type: 'recording.mindMap',
      mind_map: Array.from({ length: n }, (_, index) => ({
        id: `n${index}`,
        parentid: '',
        topic: 'A topic',
      })),
    }),
    'mindMap',
  ],
  [
    'paragraph text',
    paragraph.contentMaxLength,
    (n) => ({ type: 'paragraph.edit', paragraph: 'p', content: text(n) }),
    'text',
  ],
  [
    'paragraph speaker',
    recording.speakerMaxLength,
    (n) => ({ type: 'paragraph.speaker', paragraph: 'p', speaker: text(n) }),
    'text',
  ],
  [
    'word',
    vocabulary.entryMaxLength,
    (n) => ({ type: 'recording.word', word: text(n), on: true }),
    'text',
  ],
  [
    'setting value',
    setting.valueMaxLength,
    (n) => ({ type: 'setting.set', group_name: 'g', config_key: 'k', config_value: text(n) }),
    'text',
  ],
];

/** Returns whether the server's schema accepts an edit. */
const isAccepted = (part: object) =>
  operation.safeParse({
    op_id: randomUUID(),
    base_rev: 0,
    at: new Date().toISOString(),
    recording: 'r',
    ...part,
  }).success;

describe('exceededByEdit', () => {
  it.each(sized)('has the same limit for a %s as the server', (_, maximum, createEdit, limit) => {
    const longest = createEdit(maximum);
    const tooLong = createEdit(maximum + 1);
    expect([exceededByEdit(longest as never), isAccepted(longest as never)]).toEqual([null, true]);
    expect([exceededByEdit(tooLong as never), isAccepted(tooLong as never)]).toEqual([
      limit,
      false,
    ]);
  });
});

describe('exceededByChange', () => {
  const createSpeakers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`S${n}`, 'Ann']));
  const before = {
    tags: [],
    words: [],
    markers: [],
    notes: [],
    speakers: createSpeakers(0),
    ticks: {},
    unplaced: [],
  };

  it.each([
    ['allows a field to grow up to its limit', 0, recording.speakers, null],
    [
      'does not allow a field to grow beyond its limit',
      recording.speakers,
      recording.speakers + 1,
      'speakers',
    ],
    ['allows a field above its limit to shrink', 300, 299, null],
    ['allows a field above its limit to keep its size', 300, 300, null],
    ['does not allow a field above its limit to grow', 300, 301, 'speakers'],
  ])('%s', (_, previousCount, count, exceeded) => {
    const previous = { ...before, speakers: createSpeakers(previousCount) };
    expect(exceededByChange(previous, { speakers: createSpeakers(count) })).toBe(exceeded);
  });

  it('limits the number of notes', () => {
    const createNotes = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ id: `n${n}`, time: n, text: 'a' }));
    const fullRecord = { ...before, notes: createNotes(recording.notes) };
    expect(exceededByChange(before, { notes: fullRecord.notes })).toBeNull();
    expect(exceededByChange(fullRecord, { notes: createNotes(recording.notes + 1) })).toBe('notes');
  });

  it('ignores full fields that don’t change', () => {
    const fullRecord = { ...before, speakers: createSpeakers(300) };
    expect(exceededByChange(fullRecord, { tags: ['a'], name: 'New' })).toBeNull();
  });
});

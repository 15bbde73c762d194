import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { limits } from '../limits.ts';
import { operation } from '../schemas/sync.ts';
import { exceededByChange, exceededByEdit } from './limits.ts';

const { recording, paragraph, setting } = limits;
const text = (length: number) => 'x'.repeat(length);
const place = { latitude: 48, longitude: 9 };

/** Name of a part that has a limit, its largest size, an edit with a part of that size, and the limit's name. */
const sized: [string, number, (size: number) => object, string][] = [
  ['name', recording.nameMaxLength, (n) => ({ type: 'recording.rename', name: text(n) }), 'text'],
  [
    'tag',
    recording.tagMaxLength,
    (n) => ({ type: 'recording.tag', tag: text(n), on: true }),
    'text',
  ],
  [
    'name of a place',
    recording.nameMaxLength,
    (n) => ({ type: 'recording.place', place: { ...place, name: text(n) } }),
    'text',
  ],
  [
    'name of a speaker',
    recording.speakerMaxLength,
    (n) => ({ type: 'recording.speaker', speaker: 'S1', name: text(n) }),
    'text',
  ],
  [
    'speaker of a transcript',
    recording.speakerMaxLength,
    (n) => ({ type: 'recording.speaker', speaker: text(n), name: 'Ann' }),
    'text',
  ],
  [
    'label of a marker',
    recording.nameMaxLength,
    (n) => ({ type: 'recording.marker', marker: 'm', value: { id: 'm', time: 1, label: text(n) } }),
    'text',
  ],
  [
    'topic of a mind map',
    recording.topicMaxLength,
    (n) => ({ type: 'recording.mindMap', mind_map: [{ id: 'a', parentid: '', topic: text(n) }] }),
    'text',
  ],
  [
    'number of topics',
    recording.mindNodes,
    (n) => ({
      type: 'recording.mindMap',
      mind_map: Array.from({ length: n }, (_, at) => ({
        ...{ id: `n${at}`, parentid: '', topic: 'A topic' },
      })),
    }),
    'mindMap',
  ],
  [
    'text of a paragraph',
    paragraph.contentMaxLength,
    (n) => ({ type: 'paragraph.edit', paragraph: 'p', content: text(n) }),
    'text',
  ],
  [
    'speaker of a paragraph',
    recording.speakerMaxLength,
    (n) => ({ type: 'paragraph.speaker', paragraph: 'p', speaker: text(n) }),
    'text',
  ],
  [
    'value of a setting',
    setting.valueMaxLength,
    (n) => ({ type: 'setting.set', group_name: 'g', config_key: 'k', config_value: text(n) }),
    'text',
  ],
];

/** Whether the server's schema accepts an edit. */
const isAccepted = (part: object) =>
  operation.safeParse({
    ...{ op_id: randomUUID(), base_rev: 0, at: new Date().toISOString(), recording: 'r' },
    ...part,
  }).success;

describe('the limit of a', () => {
  it.each(sized)('%s is the same on phones and on the server', (_, most, make, limit) => {
    const [longest, tooLong] = [make(most), make(most + 1)] as { type: string }[];
    expect([exceededByEdit(longest as never), isAccepted(longest as never)]).toEqual([null, true]);
    expect([exceededByEdit(tooLong as never), isAccepted(tooLong as never)]).toEqual([
      limit,
      false,
    ]);
  });
});

describe('a growing field', () => {
  const named = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`S${n}`, 'Ann']));
  const before = { tags: [], markers: [], speakers: named(0), ticks: {} };

  it.each([
    ['up to its limit', 0, recording.speakers, null],
    ['beyond its limit', recording.speakers, recording.speakers + 1, 'speakers'],
    ['that is over its limit already may shrink', 300, 299, null],
    ['that is over its limit already may keep its size', 300, 300, null],
    ['that is over its limit already may not grow', 300, 301, 'speakers'],
  ])('%s', (_, had, has, exceeded) => {
    const change = { speakers: named(has) };
    expect(exceededByChange({ ...before, speakers: named(had) }, change)).toBe(exceeded);
  });

  it('does not stand in the way of a change to another field', () => {
    const full = { ...before, speakers: named(300) };
    expect(exceededByChange(full, { tags: ['a'], name: 'New' })).toBeNull();
  });
});

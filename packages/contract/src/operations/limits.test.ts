import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { limits } from '../limits.ts';
import { operation } from '../schemas/sync.ts';
import { exceededByChange, exceededByEdit } from './limits.ts';

const { recording, paragraph, setting } = limits;
const text = (length: number) => 'x'.repeat(length);
const place = { latitude: 48, longitude: 9 };

/** Parts with limited sizes: name, maximum size, an edit with a part of a given size, and the limit exceeded. */
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
    (n) => ({ type: 'recording.place', place: { ...place, name: text(n) } }),
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
    'marker label',
    recording.nameMaxLength,
    (n) => ({ type: 'recording.marker', marker: 'm', value: { id: 'm', time: 1, label: text(n) } }),
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
      mind_map: Array.from({ length: n }, (_, at) => ({
        ...{ id: `n${at}`, parentid: '', topic: 'A topic' },
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
    'setting value',
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

describe('the size limit of a', () => {
  it.each(sized)('%s is the same on phones and on the server', (_, maximum, make, limit) => {
    const [longest, tooLong] = [make(maximum), make(maximum + 1)] as { type: string }[];
    expect([exceededByEdit(longest as never), isAccepted(longest as never)]).toEqual([null, true]);
    expect([exceededByEdit(tooLong as never), isAccepted(tooLong as never)]).toEqual([
      limit,
      false,
    ]);
  });
});

describe('a field with a maximum number of entries', () => {
  const named = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`S${n}`, 'Ann']));
  const before = { tags: [], markers: [], speakers: named(0), ticks: {} };

  it.each([
    ['may grow up to its limit', 0, recording.speakers, null],
    ['may not grow beyond its limit', recording.speakers, recording.speakers + 1, 'speakers'],
    ['may shrink above its limit', 300, 299, null],
    ['may keep its size above its limit', 300, 300, null],
    ['may not grow above its limit', 300, 301, 'speakers'],
  ])('%s', (_, had, has, exceeded) => {
    const change = { speakers: named(has) };
    expect(exceededByChange({ ...before, speakers: named(had) }, change)).toBe(exceeded);
  });

  it('does not prevent changes of other fields', () => {
    const full = { ...before, speakers: named(300) };
    expect(exceededByChange(full, { tags: ['a'], name: 'New' })).toBeNull();
  });
});

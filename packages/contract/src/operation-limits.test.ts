import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { limits } from './limits.ts';
import { exceededByItself } from './operation-limits.ts';
import { operation } from './schemas/sync.ts';

const { recording, paragraph, setting } = limits;
const text = (length: number) => 'x'.repeat(length);
const place = { latitude: 48, longitude: 9 };

/** A part of an operation that has a limit, made of a size; and which limit it is. */
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

/** Whether the server can read it. */
const isRead = (part: object) =>
  operation.safeParse({
    ...{ op_id: randomUUID(), base_rev: 0, at: new Date().toISOString(), recording: 'r' },
    ...part,
  }).success;

describe('the limit of a', () => {
  it.each(sized)('%s is the same on phones and on the server', (_, most, make, limit) => {
    const [longest, tooLong] = [make(most), make(most + 1)] as { type: string }[];
    expect([exceededByItself(longest as never), isRead(longest as never)]).toEqual([null, true]);
    expect([exceededByItself(tooLong as never), isRead(tooLong as never)]).toEqual([limit, false]);
  });
});

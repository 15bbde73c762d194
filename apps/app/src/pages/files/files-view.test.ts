import { type CopyState, microphoneSerial, omiSerial } from '@linnet/sync';
import { describe, expect, it } from 'vitest';
import {
  defaultView,
  type FilesView,
  filterRecords,
  hasFilters,
  parseView,
  selectableRecords,
  serializeView,
  speakersInUse,
  tagsInUse,
} from './files-view.ts';
import type { ListedRecord } from './row-state.ts';

const absentCopy: CopyState = { status: 'absent' };
const completeCopy: CopyState = { status: 'whole', bytes: 1 };
const now = new Date(2026, 2, 31, 12);

function record(id: string, fields: Partial<ListedRecord>): ListedRecord {
  const created = fields.create_date ?? now.toISOString();
  return {
    id,
    title: id,
    ai_title: '',
    create_date: created,
    update_date: created,
    record_time: 1,
    is_local: 0,
    device_file_id: null,
    is_trans: 0,
    process: 0,
    sn: 'LNR1',
    scene: 'note',
    tags: [],
    speakers: {},
    is_new: 1,
    is_del: 0,
    is_protected: 0,
    is_archived: 0,
    binned_by: null,
    audioBytes: 1,
    phoneRetention: 'auto',
    problem: null,
    opening: '',
    binnedAt: null,
    taskId: null,
    copies: { recorder: absentCopy, phone: absentCopy, cloud: absentCopy },
    peaks: new Uint8Array(),
    ...fields,
  };
}
const dayAt = (...day: [number, number, number]) =>
  new Date(day[0], day[1] - 1, day[2], 9).toISOString();
const filteredIds = (view: Partial<FilesView>, records: readonly ListedRecord[]) =>
  filterRecords({ ...defaultView, ...view }, records, now).map(({ id }) => id);

describe('filterRecords', () => {
  const dated = [
    record('today', {}),
    record('six days', { create_date: dayAt(2026, 3, 26) }),
    record('eight days', { create_date: dayAt(2026, 3, 23) }),
    record('March 1', { create_date: dayAt(2026, 3, 1) }),
    record('February 27', { create_date: dayAt(2026, 2, 27) }),
    record('January 2', { create_date: dayAt(2026, 1, 2) }),
    record('last year', { create_date: dayAt(2025, 12, 30) }),
  ];

  it('goes back a week, a month or three months, even to a month that is shorter than the current one', () => {
    expect(filteredIds({ time: 'week' }, dated)).toEqual(['today', 'six days']);
    expect(filteredIds({ time: 'month' }, dated)).toEqual([
      'today',
      'six days',
      'eight days',
      'March 1',
    ]);
    expect(filteredIds({ time: 'quarter' }, dated)).toHaveLength(6);
    expect(filteredIds({}, dated)).toHaveLength(7);
  });

  it('includes both days of a range, which may be open at either end', () => {
    const days = { from: '2026-03-01', to: '2026-03-26' };
    expect(filteredIds({ time: days }, dated)).toEqual(['six days', 'eight days', 'March 1']);
    expect(filteredIds({ time: { from: '', to: '2026-01-02' } }, dated)).toEqual([
      'January 2',
      'last year',
    ]);
    expect(filteredIds({ time: { from: '2026-03-31', to: '' } }, dated)).toEqual(['today']);
  });

  it('combines type, transcript, location and tag', () => {
    const cloud = { recorder: absentCopy, phone: completeCopy, cloud: completeCopy };
    const records = [
      record('call', { scene: 'call', copies: { ...cloud, cloud: absentCopy } }),
      record('note', { tags: ['choir'], is_trans: 2, is_local: 2, copies: cloud }),
      record('on the recorder', { scene: 'meeting', is_trans: 3, tags: ['choir'] }),
    ];
    expect(filteredIds({ type: 'call' }, records)).toEqual(['call']);
    expect(filteredIds({ type: 'note' }, records)).toEqual(['note']);
    expect(filteredIds({ type: 'meeting' }, records)).toEqual(['on the recorder']);
    expect(filteredIds({ transcript: 'translated' }, records)).toEqual(['note']);
    expect(filteredIds({ transcript: 'untranslated' }, records)).toEqual([
      'call',
      'on the recorder',
    ]);
    expect(filteredIds({ place: 'app' }, records)).toEqual(['call']);
    expect(filteredIds({ place: 'cloud' }, records)).toEqual(['note']);
    expect(filteredIds({ tags: ['choir'] }, records)).toEqual(['note', 'on the recorder']);
    expect(filteredIds({ tags: ['choir'], transcript: 'untranslated' }, records)).toEqual([
      'on the recorder',
    ]);
  });

  it('matches any or all of several tags', () => {
    const records = [
      record('both', { tags: ['choir', 'spring'] }),
      record('one', { tags: ['spring'] }),
      record('other', { tags: ['garden'] }),
    ];
    const tags = ['spring', 'choir'];
    expect(filteredIds({ tags }, records)).toEqual(['both', 'one']);
    expect(filteredIds({ tags, match: 'all' }, records)).toEqual(['both']);
    expect(filteredIds({ tags: [], match: 'all' }, records)).toHaveLength(3);
  });

  it('filters by source and by speaker name', () => {
    const records = [
      record('recorder', { speakers: { 1: 'Anna', 2: 'Ben' } }),
      record('omi', { sn: omiSerial('x'), speakers: { 1: 'Annabel' } }),
      record('microphone', { sn: microphoneSerial(), speakers: { 3: 'Anna' } }),
      record('import', { sn: '', scene: 'audio' }),
      record('merged', { sn: '', scene: 'meeting' }),
    ];
    expect(filteredIds({ source: 'recorder' }, records)).toEqual(['recorder', 'omi']);
    expect(filteredIds({ source: 'microphone' }, records)).toEqual(['microphone']);
    expect(filteredIds({ source: 'import' }, records)).toEqual(['import']);
    expect(filteredIds({ speaker: 'Anna' }, records)).toEqual(['recorder', 'microphone']);
  });

  it('sorts by creation or last change, newest first', () => {
    const oldRecord = record('old', {
      create_date: dayAt(2026, 1, 1),
      update_date: dayAt(2026, 3, 30),
    });
    const records = [record('new', { create_date: dayAt(2026, 3, 1) }), oldRecord];
    expect(filteredIds({}, records)).toEqual(['new', 'old']);
    expect(filteredIds({ sort: 'changed' }, records)).toEqual(['old', 'new']);
  });
});

describe('selectableRecords', () => {
  const records = [record('listed', {}), record('archived', { is_archived: 1 })];
  const selectableIds = (archived: boolean) =>
    selectableRecords({ archived }, records).map(({ id }) => id);

  it('returns either the archived or the unarchived recordings', () => {
    expect(selectableIds(false)).toEqual(['listed']);
    expect(selectableIds(true)).toEqual(['archived']);
  });

  it('returns the same list if none are archived', () => {
    const listed = records.slice(0, 1);
    expect(selectableRecords(defaultView, listed)).toBe(listed);
  });
});

describe('parseView and serializeView', () => {
  it('restore a view', () => {
    const view: FilesView = {
      time: { from: '2026-03-01', to: '' },
      type: 'call',
      source: 'microphone',
      transcript: 'untranslated',
      place: 'app',
      tags: ['a', 'Ü'],
      match: 'all',
      speaker: 'Anna',
      archived: true,
      sort: 'changed',
    };
    expect(parseView(serializeView(view))).toEqual(view);
    expect(hasFilters(view)).toBe(true);
    expect(hasFilters({ ...defaultView, archived: true })).toBe(true);
    expect(hasFilters(parseView('{"sort":"changed"}'))).toBe(false);
  });

  it('ignore unknown values', () => {
    for (const text of [
      ...[undefined, '', 'null', '[]', '7', '{"time":"decade","tag":7}', '{"time":{}}'],
      '{"tags":"choir","match":1,"speaker":"","source":"tape"}',
      '{"tags":[7,"",null]}',
    ]) {
      expect(parseView(text)).toEqual(defaultView);
    }
  });

  it('read the tag from a view that an earlier version stored', () => {
    expect(parseView('{"tag":"choir","sort":"changed"}')).toEqual({
      ...defaultView,
      ...{ tags: ['choir'], sort: 'changed' },
    });
  });

  it('store equal filters equally', () => {
    const view = (tags: readonly string[], match: FilesView['match']) =>
      serializeView({ ...defaultView, tags, match });
    expect(view(['a', 'b'], 'any')).toBe(view(['b', 'a'], 'any'));
    expect(view(['a', 'b'], 'any')).not.toBe(view(['a', 'b'], 'all'));
    expect(view(['a'], 'any')).toBe(view(['a'], 'all'));
  });
});

describe('tagsInUse', () => {
  it('sorts tags by number of recordings', () => {
    expect(tagsInUse([{ tags: ['b', 'c'] }, { tags: ['c'] }, { tags: ['a'] }])).toEqual([
      'c',
      'a',
      'b',
    ]);
  });
});

describe('speakersInUse', () => {
  it('counts a speaker once per recording', () => {
    const records = [
      record('a', { speakers: { 1: 'Anna', 2: 'Anna', 3: 'Ben' } }),
      record('b', { speakers: { 1: 'Ben' } }),
    ];
    expect(speakersInUse(records)).toEqual(['Ben', 'Anna']);
  });
});

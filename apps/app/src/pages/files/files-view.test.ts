import type { CopyState } from '@linnet/sync';
import { describe, expect, it } from 'vitest';
import {
  defaultView,
  type FilesView,
  filterRecords,
  hasFilters,
  parseView,
  serializeView,
  tagsInUse,
} from './files-view.ts';
import type { ListedRecord } from './row-state.ts';

const absent: CopyState = { status: 'absent' };
const whole: CopyState = { status: 'whole', bytes: 1 };
const now = new Date(2026, 2, 31, 12);

function record(id: string, changed: Partial<ListedRecord>): ListedRecord {
  const created = changed.create_date ?? now.toISOString();
  return {
    ...{ id, title: id, ai_title: '', create_date: created, update_date: created },
    ...{
      record_time: 1,
      is_local: 0,
      device_file_id: null,
      is_trans: 0,
      process: 0,
      sn: 'LNR1',
      rec_source: 1,
    },
    ...{
      tags: [],
      is_new: 1,
      is_del: 0,
      audioBytes: 1,
      phoneRetention: 'auto',
      trouble: null,
      opening: '',
      binnedAt: null,
    },
    copies: { recorder: absent, phone: absent, cloud: absent },
    peaks: new Uint8Array(),
    ...changed,
  };
}
const on = (...day: [number, number, number]) =>
  new Date(day[0], day[1] - 1, day[2], 9).toISOString();
const shown = (view: Partial<FilesView>, records: readonly ListedRecord[]) =>
  filterRecords({ ...defaultView, ...view }, records, now).map(({ id }) => id);

describe('filterRecords', () => {
  const dated = [
    record('today', {}),
    record('six days', { create_date: on(2026, 3, 26) }),
    record('eight days', { create_date: on(2026, 3, 23) }),
    record('March 1', { create_date: on(2026, 3, 1) }),
    record('February 27', { create_date: on(2026, 2, 27) }),
    record('January 2', { create_date: on(2026, 1, 2) }),
    record('last year', { create_date: on(2025, 12, 30) }),
  ];

  it('covers a week, a month or three months, even if the target month is shorter', () => {
    expect(shown({ time: 'week' }, dated)).toEqual(['today', 'six days']);
    expect(shown({ time: 'month' }, dated)).toEqual(['today', 'six days', 'eight days', 'March 1']);
    expect(shown({ time: 'quarter' }, dated)).toHaveLength(6);
    expect(shown({}, dated)).toHaveLength(7);
  });

  it('includes both days of a range, which may be open at either end', () => {
    const days = { from: '2026-03-01', to: '2026-03-26' };
    expect(shown({ time: days }, dated)).toEqual(['six days', 'eight days', 'March 1']);
    expect(shown({ time: { from: '', to: '2026-01-02' } }, dated)).toEqual([
      'January 2',
      'last year',
    ]);
    expect(shown({ time: { from: '2026-03-31', to: '' } }, dated)).toEqual(['today']);
  });

  it('combines source, transcript, location and tag', () => {
    const cloud = { recorder: absent, phone: whole, cloud: whole };
    const records = [
      record('call', { rec_source: 2, copies: { ...cloud, cloud: absent } }),
      record('note', { tags: ['choir'], is_trans: 2, is_local: 2, copies: cloud }),
      record('on the recorder', { is_trans: 3, tags: ['choir'] }),
    ];
    expect(shown({ source: 'call' }, records)).toEqual(['call']);
    expect(shown({ source: 'note' }, records)).toEqual(['note', 'on the recorder']);
    expect(shown({ transcript: 'translated' }, records)).toEqual(['note']);
    expect(shown({ transcript: 'untranslated' }, records)).toEqual(['call', 'on the recorder']);
    expect(shown({ place: 'app' }, records)).toEqual(['call']);
    expect(shown({ place: 'cloud' }, records)).toEqual(['note']);
    expect(shown({ tag: 'choir' }, records)).toEqual(['note', 'on the recorder']);
    expect(shown({ tag: 'choir', transcript: 'untranslated' }, records)).toEqual([
      'on the recorder',
    ]);
  });

  it('sorts by creation or last change, newest first', () => {
    const old = record('old', { create_date: on(2026, 1, 1), update_date: on(2026, 3, 30) });
    const records = [record('new', { create_date: on(2026, 3, 1) }), old];
    expect(shown({}, records)).toEqual(['new', 'old']);
    expect(shown({ sort: 'changed' }, records)).toEqual(['old', 'new']);
  });
});

describe('a stored view', () => {
  it('survives a round trip', () => {
    const view: FilesView = {
      time: { from: '2026-03-01', to: '' },
      ...{ source: 'call', transcript: 'untranslated', place: 'app', tag: 'Ü', sort: 'changed' },
    };
    expect(parseView(serializeView(view))).toEqual(view);
    expect(hasFilters(view)).toBe(true);
    expect(hasFilters({ ...defaultView, sort: 'changed' })).toBe(false);
  });

  it('ignores unknown values', () => {
    for (const text of [undefined, '', 'null', '[]', '{"time":"decade","tag":7}', '{"time":{}}']) {
      expect(parseView(text)).toEqual(defaultView);
    }
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

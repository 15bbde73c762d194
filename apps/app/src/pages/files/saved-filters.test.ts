import type { Setting } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { filterSetting } from '@linnet/contract/statuses';
import type { DatedSetting } from '@linnet/sync';
import { describe, expect, it } from 'vitest';
import { noCriteria } from './files-view.ts';
import {
  matchesView,
  moveFilter,
  newFilterId,
  orderSetting,
  readFilters,
  type SavedFilter,
  toDeletedSetting,
  toFilterSetting,
} from './saved-filters.ts';

const filter = (id: string, name = id, tags: readonly string[] = [id]): SavedFilter => ({
  id,
  name,
  criteria: { ...noCriteria, tags },
});
const addDate = (setting: Setting, day = 1): DatedSetting => ({
  ...setting,
  since: new Date(Date.UTC(2026, 0, day)).toISOString(),
});
const getNames = (settings: readonly Setting[]) => readFilters(settings).map(({ name }) => name);

describe('readFilters', () => {
  it('returns what was saved', () => {
    const saved: SavedFilter = {
      ...{ id: 'f', name: 'Ü "quoted"' },
      criteria: {
        ...noCriteria,
        ...{ time: 'month', source: 'import', tags: ['a', 'b'], match: 'all', archived: true },
      },
    };
    expect(readFilters([toFilterSetting(saved)])).toEqual([saved]);
  });

  it('ignores deleted filters, unreadable filters and other settings', () => {
    const { group } = filterSetting;
    const createStoredSetting = (config_value: string) => ({
      group_name: group,
      config_key: 'x',
      config_value,
    });
    for (const text of ['', 'null', '[]', '{"tags":["a"]}', '{"name":7}', '{"name":""}']) {
      expect(readFilters([createStoredSetting(text)])).toEqual([]);
    }
    expect(readFilters([{ ...toFilterSetting(filter('a')), group_name: 'files' }])).toEqual([]);
    expect(readFilters([toFilterSetting(filter('a')), toDeletedSetting('b')])).toHaveLength(1);
  });

  it('follows the order, then lists filters without a position by name', () => {
    const filters = [filter('1', 'Choir'), filter('2', 'Work'), filter('3', 'Archive')];
    const settings = filters.map(toFilterSetting);
    expect(getNames(settings)).toEqual(['Archive', 'Choir', 'Work']);
    const [choir, work] = filters as [SavedFilter, SavedFilter];
    const order = orderSetting([work, filter('deleted'), choir]);
    expect(getNames([...settings, order])).toEqual(['Work', 'Choir', 'Archive']);
  });
});

it('moveFilter moves a filter by one position, but not beyond the ends', () => {
  const filters = [filter('a'), filter('b'), filter('c')];
  const move = (id: string, by: number) => moveFilter(filters, id, by)?.map((each) => each.id);
  expect(move('a', 1)).toEqual(['b', 'a', 'c']);
  expect(move('c', -1)).toEqual(['a', 'c', 'b']);
  expect(move('a', -1)).toBeUndefined();
  expect(move('c', 1)).toBeUndefined();
  expect(move('absent', 1)).toBeUndefined();
});

describe('newFilterId', () => {
  const createFilters = (count: number) => Array.from({ length: count }, (_, n) => filter(`f${n}`));

  it('creates unique ids that are short enough to be stored in the order', () => {
    const ids = Array.from({ length: limits.filters.count }, () => newFilterId([]) ?? '');
    expect(new Set(ids).size).toBe(ids.length);
    const order = orderSetting(ids.map((id) => filter(id)));
    expect(order.config_value.length).toBeLessThanOrEqual(limits.setting.valueMaxLength);
  });

  it('returns null if there are too many filters', () => {
    const storedSettings = createFilters(limits.filters.count).map((savedFilter) =>
      addDate(toFilterSetting(savedFilter)),
    );
    expect(newFilterId(storedSettings)).toBeNull();
    expect(
      newFilterId([...storedSettings.slice(1), addDate(toDeletedSetting('f0'))]),
    ).not.toBeNull();
  });

  it('reuses the id of the filter deleted earliest if there are many deleted filters', () => {
    const deleted = createFilters(limits.filters.stored - 1).map(({ id }, n) =>
      addDate(toDeletedSetting(id), ((n + 50) % 100) + 1),
    );
    const order = addDate(orderSetting([]));
    expect(newFilterId([...deleted, order])).toBe('f50');
    expect(newFilterId([...deleted.slice(1), order])).not.toMatch(/^f\d{1,3}$/);
  });
});

it('matchesView ignores the order of the filters', () => {
  const saved = filter('a', 'A', ['x', 'y']);
  expect(matchesView(saved, { ...noCriteria, tags: ['y', 'x'] })).toBe(true);
  expect(matchesView(saved, { ...noCriteria, tags: ['x'] })).toBe(false);
  expect(matchesView(saved, { ...noCriteria, tags: ['y', 'x'], archived: true })).toBe(false);
});

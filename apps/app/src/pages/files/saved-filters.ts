import type { Setting } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { filterSetting } from '@linnet/contract/statuses';
import { type DatedSetting, filterId } from '@linnet/sync';
import { type Criteria, parseCriteria, parseStored, storedCriteria } from './files-view.ts';

const { group, order } = filterSetting;

/** Filters of the list of recordings that the user has saved under a name. */
export type SavedFilter = {
  readonly id: string;
  readonly name: string;
  readonly criteria: Criteria;
};

/** The settings of saved filters, including deleted ones, without that of their order. */
const inGroup = <Each extends Setting>(settings: readonly Each[]): readonly Each[] =>
  settings.filter(({ group_name, config_key }) => group_name === group && config_key !== order);

function parseFilter({ config_key: id, config_value }: Setting): SavedFilter | null {
  const stored = parseStored(config_value);
  const name = stored?.name;
  if (!stored || typeof name !== 'string' || name === '') return null;
  return { id, name, criteria: parseCriteria(stored) };
}

/** Returns the saved filters in the user's order, followed by those that have no place in it, by name. */
export function readFilters(settings: readonly Setting[]): readonly SavedFilter[] {
  const filters = inGroup(settings).flatMap((setting) => parseFilter(setting) ?? []);
  const ordered = settings.find(
    ({ group_name, config_key }) => group_name === group && config_key === order,
  );
  const places = new Map(ordered?.config_value.split(' ').map((id, place) => [id, place] as const));
  const placeOf = ({ id }: SavedFilter) => places.get(id) ?? places.size;
  return filters.sort(
    (a, b) => placeOf(a) - placeOf(b) || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1),
  );
}

/** Returns the setting of a filter. Equal filters have equal values. */
export function filterSettingOf({ id, name, criteria }: SavedFilter): Setting {
  const value = JSON.stringify({ name, ...storedCriteria(criteria) });
  return { group_name: group, config_key: id, config_value: value };
}

/** Returns the setting of a deleted filter. */
export function deletedSettingOf(id: string): Setting {
  return { group_name: group, config_key: id, config_value: '' };
}

/** Returns the setting of the filters' order. */
export function orderSetting(filters: readonly SavedFilter[]): Setting {
  const ids = filters.map(({ id }) => id).join(' ');
  return { group_name: group, config_key: order, config_value: ids };
}

/** Returns the filters with one of them moved by a number of places, or null if it can't be moved as far. */
export function movedFilters(
  filters: readonly SavedFilter[],
  id: string,
  by: number,
): readonly SavedFilter[] | null {
  const from = filters.findIndex((each) => each.id === id);
  const to = from + by;
  const filter = filters[from];
  if (!filter || to < 0 || to >= filters.length) return null;
  return filters.filter((each) => each !== filter).toSpliced(to, 0, filter);
}

/**
 * Returns the id for a new filter, or null if there are too many. Settings are never removed, so once many filters were
 * deleted, the new one replaces the filter that was deleted first.
 */
export function newFilterId(settings: readonly DatedSetting[]): string | null {
  if (readFilters(settings).length >= limits.filters.count) return null;
  const stored = inGroup(settings);
  if (stored.length < limits.filters.stored - 1) return filterId();
  const deleted = stored
    .filter(({ config_value }) => config_value === '')
    .sort((a, b) => ((a.since ?? '') < (b.since ?? '') ? -1 : 1));
  return deleted[0]?.config_key ?? null;
}

/** Returns whether the filter selects by the same criteria. */
export function isShown({ criteria }: SavedFilter, shown: Criteria): boolean {
  const serialize = (each: Criteria) => JSON.stringify(storedCriteria(each));
  return serialize(criteria) === serialize(shown);
}

import type { Setting } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { filterSetting } from '@linnet/contract/statuses';
import { type DatedSetting, filterId } from '@linnet/sync';
import { type Criteria, parseCriteria, parseStored, storedCriteria } from './files-view.ts';

const { group, order } = filterSetting;

/** Filters for the list of recordings, saved by the user under a name. */
export type SavedFilter = {
  readonly id: string;
  readonly name: string;
  readonly criteria: Criteria;
};

/** Returns the settings that store filters, including deleted filters, but not the setting that stores their order. */
const filterGroup = <Each extends Setting>(settings: readonly Each[]): readonly Each[] =>
  settings.filter(({ group_name, config_key }) => group_name === group && config_key !== order);

function parseFilter({ config_key: id, config_value }: Setting): SavedFilter | null {
  const storedFilter = parseStored(config_value);
  const name = storedFilter?.name;
  if (!storedFilter || typeof name !== 'string' || name === '') return null;
  return { id, name, criteria: parseCriteria(storedFilter) };
}

/**
 * Returns the saved filters in the user's order, followed by filters without a position in that order, sorted by name.
 */
export function readFilters(settings: readonly Setting[]): readonly SavedFilter[] {
  const filters = filterGroup(settings).flatMap((setting) => parseFilter(setting) ?? []);
  const ordered = settings.find(
    ({ group_name, config_key }) => group_name === group && config_key === order,
  );
  const places = new Map(ordered?.config_value.split(' ').map((id, place) => [id, place] as const));
  const getPlace = ({ id }: SavedFilter) => places.get(id) ?? places.size;
  return filters.sort(
    (a, b) => getPlace(a) - getPlace(b) || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1),
  );
}

/** Returns the setting that stores a filter. Equal filters have equal values. */
export function toFilterSetting({ id, name, criteria }: SavedFilter): Setting {
  const value = JSON.stringify({ name, ...storedCriteria(criteria) });
  return { group_name: group, config_key: id, config_value: value };
}

/** Returns the setting that marks a filter as deleted. */
export function toDeletedSetting(id: string): Setting {
  return { group_name: group, config_key: id, config_value: '' };
}

/** Returns the setting that stores the filters' order. */
export function orderSetting(filters: readonly SavedFilter[]): Setting {
  const ids = filters.map(({ id }) => id).join(' ');
  return { group_name: group, config_key: order, config_value: ids };
}

/** Moves a filter by a number of positions. Returns null if that would move it beyond the ends of the list. */
export function moveFilter(
  filters: readonly SavedFilter[],
  id: string,
  offset: number,
): readonly SavedFilter[] | null {
  const from = filters.findIndex((each) => each.id === id);
  const to = from + offset;
  const filter = filters[from];
  if (!filter || to < 0 || to >= filters.length) return null;
  return filters.filter((each) => each !== filter).toSpliced(to, 0, filter);
}

/**
 * Returns the ID for a new filter, or null if there are too many. Settings are never removed, so once many filters have
 * been deleted, the new filter reuses the ID of the filter deleted first.
 */
export function newFilterId(settings: readonly DatedSetting[]): string | null {
  if (readFilters(settings).length >= limits.filters.count) return null;
  const storedSettings = filterGroup(settings);
  if (storedSettings.length < limits.filters.stored - 1) return filterId();
  const deleted = storedSettings
    .filter(({ config_value }) => config_value === '')
    .sort((a, b) => ((a.since ?? '') < (b.since ?? '') ? -1 : 1));
  return deleted[0]?.config_key ?? null;
}

/** Returns whether a saved filter has the same criteria as the list. */
export function matchesView({ criteria }: SavedFilter, shown: Criteria): boolean {
  const serialize = (each: Criteria) => JSON.stringify(storedCriteria(each));
  return serialize(criteria) === serialize(shown);
}

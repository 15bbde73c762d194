import { type Scene, scenes } from '@linnet/contract/statuses';
import { isLocal, isTrans } from '@linnet/sync';
import type { ListedRecord } from './row-state.ts';

/** An inclusive range of local calendar days such as `2026-11-21`. An open end is an empty string. */
export type DayRange = { readonly from: string; readonly to: string };

/** The list's filters and sort order; null means no filter. */
export type FilesView = {
  /** A period up to now (specification, section 9), or a range of days. */
  readonly time: 'week' | 'month' | 'quarter' | DayRange | null;
  readonly type: Scene | null;
  readonly transcript: 'translated' | 'untranslated' | null;
  /** A period up to now (specification, section 9), or a range of days. */
  readonly place: 'app' | 'cloud' | null;
  readonly tag: string | null;
  /** Whether the list shows the archived recordings instead of the others. */
  readonly archived: boolean;
  /** The date to sort by, newest first. */
  readonly sort: 'created' | 'changed';
};

export const defaultView: FilesView = {
  time: null,
  type: null,
  transcript: null,
  place: null,
  tag: null,
  archived: false,
  sort: 'created',
};

/** Returns whether any filter other than that for archived recordings is active. */
function hasPartFilters(view: FilesView): boolean {
  return [view.time, view.type, view.transcript, view.place, view.tag].some(
    (part) => part !== null,
  );
}

/** Returns whether any filter is active. */
export function hasFilters(view: FilesView): boolean {
  return view.archived || hasPartFilters(view);
}

const oneOf = <Value>(values: readonly Value[], value: unknown): Value | null =>
  values.find((known) => known === value) ?? null;

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^(\d{4}-\d\d-\d\d)?$/.test(value);

function parseTime(value: unknown): FilesView['time'] {
  if (typeof value !== 'object' || value === null)
    return oneOf(['week', 'month', 'quarter'], value);
  const { from, to } = value as Partial<Record<keyof DayRange, unknown>>;
  return isDay(from) && isDay(to) && (from || to) ? { from, to } : null;
}

/** Parses a stored view. Unknown values, for example from a newer version, count as no filter. */
export function parseView(text: string | undefined): FilesView {
  if (text === undefined) return defaultView;
  let stored: Partial<Record<keyof FilesView, unknown>>;
  try {
    stored = JSON.parse(text) ?? {};
  } catch {
    return defaultView;
  }
  return {
    time: parseTime(stored.time),
    type: oneOf(scenes, stored.type),
    transcript: oneOf(['translated', 'untranslated'], stored.transcript),
    place: oneOf(['app', 'cloud'], stored.place),
    tag: typeof stored.tag === 'string' && stored.tag !== '' ? stored.tag : null,
    archived: stored.archived === true,
    sort: stored.sort === 'changed' ? 'changed' : 'created',
  };
}

/** Serializes a view. Equal views produce equal strings. */
export function serializeView(view: FilesView): string {
  const { time, type, transcript, place, tag, archived, sort } = view;
  return JSON.stringify({ time, type, transcript, place, tag, archived, sort });
}

/** Subtracts calendar months. If the target month lacks the day, returns that month's last day. */
function monthsBefore(now: Date, months: number): Date {
  const target = new Date(now);
  target.setMonth(now.getMonth() - months, 1);
  const last = new Date(target.getFullYear(), target.getMonth() + 1, 0).getDate();
  target.setDate(Math.min(now.getDate(), last));
  return target;
}

/** Returns a period's bounds in milliseconds since 1970. The second one is exclusive. */
function timeBounds(time: FilesView['time'], now: Date): readonly [number, number] {
  switch (time) {
    case null:
      return [-Infinity, Infinity];
    case 'week':
      return [now.getTime() - 7 * 86_400_000, Infinity];
    case 'month':
      return [monthsBefore(now, 1).getTime(), Infinity];
    case 'quarter':
      return [monthsBefore(now, 3).getTime(), Infinity];
    default: {
      const day = (text: string, plus: number) => {
        const [year = 0, month = 1, date = 1] = text.split('-').map(Number);
        return new Date(year, month - 1, date + plus).getTime();
      };
      return [time.from ? day(time.from, 0) : -Infinity, time.to ? day(time.to, 1) : Infinity];
    }
  }
}

const isInCloud = ({ is_local, copies }: ListedRecord) =>
  is_local === isLocal.onServer && copies.cloud.status !== 'absent';

/** Returns the records from which a view's filters select: the archived ones, or the others. */
export function selectableRecords(
  { archived }: Pick<FilesView, 'archived'>,
  records: readonly ListedRecord[],
): readonly ListedRecord[] {
  const selectable = records.filter(({ is_archived }) => (is_archived === 1) === archived);
  // A list without archived recordings stays the same object, so that it isn't rendered again.
  return selectable.length === records.length ? records : selectable;
}

/**
 * Filters and sorts records by a view.
 * @param records those returned by {@link selectableRecords}, newest first
 * @param now the end of relative periods
 */
export function filterRecords(
  view: FilesView,
  records: readonly ListedRecord[],
  now: Date,
): readonly ListedRecord[] {
  const [from, before] = timeBounds(view.time, now);
  const filtered = hasPartFilters(view)
    ? records.filter((record) => {
        const createdAt = Date.parse(record.create_date);
        return (
          createdAt >= from &&
          createdAt < before &&
          (view.type === null || record.scene === view.type) &&
          (view.transcript === null ||
            (record.is_trans === isTrans.translated) === (view.transcript === 'translated')) &&
          (view.place !== 'cloud' || isInCloud(record)) &&
          (view.place !== 'app' ||
            (!isInCloud(record) && record.copies.phone.status !== 'absent')) &&
          (view.tag === null || record.tags.includes(view.tag))
        );
      })
    : records;
  if (view.sort === 'created') return filtered;
  return [...filtered].sort((a, b) =>
    a.update_date < b.update_date ? 1 : a.update_date > b.update_date ? -1 : 0,
  );
}

/** Returns all tags in use, most frequent first. */
export function tagsInUse(records: readonly { readonly tags: readonly string[] }[]): string[] {
  const uses = new Map<string, number>();
  for (const { tags } of records) {
    for (const tag of tags) uses.set(tag, (uses.get(tag) ?? 0) + 1);
  }
  return [...uses.entries()]
    .sort(([a, times], [b, more]) => more - times || a.localeCompare(b))
    .map(([tag]) => tag);
}

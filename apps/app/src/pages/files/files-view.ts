import { limits } from '@linnet/contract/limits';
import { type Scene, scenes } from '@linnet/contract/statuses';
import { isLocal, isMicrophoneSerial, isTrans } from '@linnet/sync';
import type { ListedRecord } from './row-state.ts';

/** An inclusive range of local calendar days such as `2026-11-21`. An open end is an empty string. */
export type DayRange = { readonly from: string; readonly to: string };

/** The origins of recordings: a recorder, the microphone of a phone or computer, or an imported file. */
export const recordingSources = ['recorder', 'microphone', 'import'] as const;
export type RecordingSource = (typeof recordingSources)[number];

/** The list's filters; null means no filter. */
export type Criteria = {
  /** A period up to now (specification, section 9), or a range of days. */
  readonly time: 'week' | 'month' | 'quarter' | DayRange | null;
  readonly type: Scene | null;
  readonly source: RecordingSource | null;
  readonly transcript: 'translated' | 'untranslated' | null;
  readonly place: 'app' | 'cloud' | null;
  /** Tags, without repetition; none means no filter. */
  readonly tags: readonly string[];
  /** Whether recordings need any of the tags or all of them. */
  readonly match: 'any' | 'all';
  /** A speaker's name. */
  readonly speaker: string | null;
  /** Whether the list shows archived recordings instead of unarchived ones. */
  readonly archived: boolean;
};

/** The list's filters and sort order. */
export type FilesView = Criteria & {
  /** The date to sort by, newest first. */
  readonly sort: 'created' | 'changed';
};

export const noCriteria: Criteria = {
  time: null,
  type: null,
  source: null,
  transcript: null,
  place: null,
  tags: [],
  match: 'any',
  speaker: null,
  archived: false,
};

export const defaultView: FilesView = { ...noCriteria, sort: 'created' };

/** Returns whether any filter other than `archived` is active. */
function hasPartFilters({ time, type, source, transcript, place, tags, speaker }: Criteria) {
  const parts = [time, type, source, transcript, place, speaker];
  return tags.length > 0 || parts.some((part) => part !== null);
}

/** Returns whether any filter is active. */
export function hasFilters(criteria: Criteria): boolean {
  return criteria.archived || hasPartFilters(criteria);
}

const findValue = <Value>(values: readonly Value[], value: unknown): Value | null =>
  values.find((known) => known === value) ?? null;

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^(\d{4}-\d\d-\d\d)?$/.test(value);

function parseTime(value: unknown): FilesView['time'] {
  if (typeof value !== 'object' || value === null)
    return findValue(['week', 'month', 'quarter'], value);
  const { from, to } = value as Partial<Record<keyof DayRange, unknown>>;
  return isDay(from) && isDay(to) && (from || to) ? { from, to } : null;
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** @param tag the tag stored by an older app version, which supported only one */
function parseTags(tags: unknown, tag: unknown): readonly string[] {
  const stored: readonly unknown[] = Array.isArray(tags) ? tags : [tag];
  return [...new Set(stored.filter(isName))].slice(0, limits.filters.tags);
}

/** The fields of a JSON object, with unchecked values. */
export type StoredFields = Readonly<Record<string, unknown>>;

/**
 * Parses a JSON object.
 * @returns null if the text is anything else
 */
export function parseStored(text: string): StoredFields | null {
  try {
    const stored: unknown = JSON.parse(text);
    return typeof stored === 'object' && stored !== null ? { ...stored } : null;
  } catch {
    return null;
  }
}

/** Reads stored filters. Unknown values, for example from a newer version, count as no filter. */
export function parseCriteria(stored: StoredFields): Criteria {
  return {
    time: parseTime(stored.time),
    type: findValue(scenes, stored.type),
    source: findValue(recordingSources, stored.source),
    transcript: findValue(['translated', 'untranslated'], stored.transcript),
    place: findValue(['app', 'cloud'], stored.place),
    tags: parseTags(stored.tags, stored.tag),
    match: stored.match === 'all' ? 'all' : 'any',
    speaker: isName(stored.speaker) ? stored.speaker : null,
    archived: stored.archived === true,
  };
}

/** Parses a stored view. */
export function parseView(text: string | undefined): FilesView {
  const stored: StoredFields = (text && parseStored(text)) || {};
  return { ...parseCriteria(stored), sort: stored.sort === 'changed' ? 'changed' : 'created' };
}

/** Returns the filters in stored form, without inactive ones. Equal filters produce equal JSON. */
export function storedCriteria(criteria: Criteria): StoredFields {
  const { time, type, source, transcript, place, tags, match, speaker, archived } = criteria;
  return {
    ...(time && { time }),
    ...(type && { type }),
    ...(source && { source }),
    ...(transcript && { transcript }),
    ...(place && { place }),
    ...(tags.length > 0 && { tags: [...tags].sort() }),
    ...(tags.length > 1 && match === 'all' && { match }),
    ...(speaker && { speaker }),
    ...(archived && { archived }),
  };
}

/** Serializes a view. Equal views produce equal strings. */
export function serializeView(view: FilesView): string {
  return JSON.stringify({ ...storedCriteria(view), sort: view.sort });
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

/** Returns a recording's source, or null for a merged recording, which may have several. */
function findSource({ sn, scene }: Pick<ListedRecord, 'sn' | 'scene'>): RecordingSource | null {
  if (sn === '') return scene === 'audio' ? 'import' : null;
  return isMicrophoneSerial(sn) ? 'microphone' : 'recorder';
}

function hasTags(record: Pick<ListedRecord, 'tags'>, { tags, match }: Criteria): boolean {
  const isTagged = (tag: string) => record.tags.includes(tag);
  return tags.length === 0 || (match === 'all' ? tags.every(isTagged) : tags.some(isTagged));
}

const isInCloud = ({ is_local, copies }: ListedRecord) =>
  is_local === isLocal.onServer && copies.cloud.status !== 'absent';

/** Returns the records that a view's filters apply to: either the archived or the unarchived ones. */
export function selectableRecords(
  { archived }: Pick<FilesView, 'archived'>,
  records: readonly ListedRecord[],
): readonly ListedRecord[] {
  const selectable = records.filter(({ is_archived }) => (is_archived === 1) === archived);
  // If no record is filtered out, return the same object, so that the list isn't rendered again.
  return selectable.length === records.length ? records : selectable;
}

/**
 * Filters and sorts records by a view.
 * @param records the records returned by {@link selectableRecords}, newest first
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
          (view.source === null || findSource(record) === view.source) &&
          (view.transcript === null ||
            (record.is_trans === isTrans.translated) === (view.transcript === 'translated')) &&
          (view.place !== 'cloud' || isInCloud(record)) &&
          (view.place !== 'app' ||
            (!isInCloud(record) && record.copies.phone.status !== 'absent')) &&
          hasTags(record, view) &&
          (view.speaker === null || Object.values(record.speakers).includes(view.speaker))
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
  return mostFrequentFirst(records.map(({ tags }) => tags));
}

/** Returns the names of all speakers, sorted by their number of recordings. */
export function speakersInUse(records: readonly Pick<ListedRecord, 'speakers'>[]): string[] {
  return mostFrequentFirst(records.map(({ speakers }) => new Set(Object.values(speakers))));
}

function mostFrequentFirst(lists: readonly Iterable<string>[]): string[] {
  const uses = new Map<string, number>();
  for (const list of lists) {
    for (const text of list) uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  return [...uses.entries()]
    .sort(([a, times], [b, more]) => more - times || a.localeCompare(b))
    .map(([text]) => text);
}

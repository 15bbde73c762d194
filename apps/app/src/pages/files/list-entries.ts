import { type DayGroup, dayGroup } from '../../i18n/format.ts';
import type { FilesView } from './files-view.ts';
import type { ListedRecord } from './row-state.ts';

/** What the list is made of: headings and recordings, in one line for the virtual list. */
export type ListEntry =
  | { readonly kind: 'heading'; readonly group: DayGroup; readonly key: string }
  | {
      readonly kind: 'record';
      readonly record: ListedRecord;
      readonly sameDay: boolean;
      readonly key: string;
    };

function keyOf(group: DayGroup): string {
  return typeof group === 'string' ? group : `${group.year}-${group.month}`;
}

/**
 * Recordings, newest first, under headings of today, yesterday and months, seen from `now`.
 * @param by the date they are sorted by
 */
export function listEntries(
  records: readonly ListedRecord[],
  by: FilesView['sort'],
  now: Date,
): ListEntry[] {
  const entries: ListEntry[] = [];
  let last = '';
  for (const record of records) {
    const group = dayGroup(by === 'created' ? record.create_date : record.update_date, now);
    const key = keyOf(group);
    if (key !== last) {
      entries.push({ kind: 'heading', group, key: `heading ${key} ${entries.length}` });
      last = key;
    }
    const sameDay = by === 'created' && typeof group === 'string';
    entries.push({ kind: 'record', record, sameDay, key: record.id });
  }
  return entries;
}

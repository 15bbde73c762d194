import { type DayGroup, dayGroups } from '../../i18n/format.ts';
import type { FilesView } from './files-view.ts';
import type { Line } from './row-list.tsx';
import type { ListedRecord } from './row-state.ts';

/** Headings and recordings as one flat list, for virtual scrolling. */
export type ListEntry = Line &
  (
    | { readonly kind: 'heading'; readonly group: DayGroup }
    | { readonly kind: 'record'; readonly record: ListedRecord; readonly sameDay: boolean }
  );

/** The row's height class: a preview takes additional lines. */
export const shapeOf = ({ opening }: ListedRecord) => (opening ? 'withPreview' : 'plain');

function keyOf(group: DayGroup): string {
  return typeof group === 'string' ? group : `${group.year}-${group.month}`;
}

/**
 * Recordings, newest first, under headings for today, yesterday and months, seen from `now`.
 * @param by the date by which they are sorted
 */
export function listEntries(
  records: readonly ListedRecord[],
  by: FilesView['sort'],
  now: Date,
): ListEntry[] {
  const entries: ListEntry[] = [];
  const groupOf = dayGroups(now);
  let last: DayGroup | null = null;
  for (const record of records) {
    const group = groupOf(by === 'created' ? record.create_date : record.update_date);
    if (group !== last) {
      const key = `heading ${keyOf(group)} ${entries.length}`;
      entries.push({ kind: 'heading', shape: 'heading', group, key });
      last = group;
    }
    const sameDay = by === 'created' && typeof group === 'string';
    entries.push({ kind: 'record', shape: shapeOf(record), record, sameDay, key: record.id });
  }
  return entries;
}

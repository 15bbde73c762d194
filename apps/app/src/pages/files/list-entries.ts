import { createDayGrouper, type DayGroup } from '../../i18n/format.ts';
import type { FilesView } from './files-view.ts';
import type { Line } from './row-list.tsx';
import type { ListedRecord } from './row-state.ts';

/** A heading or a recording, in the flat list used for virtual scrolling. */
export type ListEntry = Line &
  (
    | { readonly kind: 'heading'; readonly group: DayGroup }
    | { readonly kind: 'record'; readonly record: ListedRecord; readonly sameDay: boolean }
  );

/** Returns the row's height class. A preview adds lines. */
export const rowShape = ({ opening }: ListedRecord) => (opening ? 'withPreview' : 'plain');

function groupKey(group: DayGroup): string {
  return typeof group === 'string' ? group : `${group.year}-${group.month}`;
}

/**
 * Groups recordings under headings for the future, today, yesterday and months.
 * @param records newest first
 * @param sortedBy the date that the recordings are sorted by
 * @param now the time that defines today
 */
export function listEntries(
  records: readonly ListedRecord[],
  sortedBy: FilesView['sort'],
  now: Date,
): ListEntry[] {
  const entries: ListEntry[] = [];
  const getDayGroup = createDayGrouper(now);
  let lastGroup: DayGroup | null = null;
  for (const record of records) {
    const group = getDayGroup(sortedBy === 'created' ? record.create_date : record.update_date);
    if (group !== lastGroup) {
      const key = `heading ${groupKey(group)} ${entries.length}`;
      entries.push({ kind: 'heading', shape: 'heading', group, key });
      lastGroup = group;
    }
    const isSameDay = sortedBy === 'created' && (group === 'today' || group === 'yesterday');
    entries.push({
      kind: 'record',
      shape: rowShape(record),
      record,
      sameDay: isSameDay,
      key: record.id,
    });
  }
  return entries;
}

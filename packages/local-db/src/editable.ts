/** Maps the user-editable columns of `record`, and the copy of the server's state while operations are pending. */
import { type Editable, isDel, type LocalRecord } from '@linnet/sync';
import { json, orNull } from './columns.ts';
import type { SqlRow, SqlValue, Statement } from './database.ts';
import { type Cell, columnValue, readFields } from './rows.ts';

const editableColumns = [
  'title',
  'create_date',
  'tags',
  'words',
  'place',
  'language',
  'speakers',
  'proposals',
  'markers',
  'notes',
  'ticks',
  'mind_map',
  'unplaced',
  'is_del',
  'is_protected',
  'is_archived',
] as const satisfies readonly (keyof Editable)[];

export const selectEditable = `${editableColumns.join(', ')}, base`;

/** The editable fields of a new recording. */
export const emptyFields: Editable = {
  title: '',
  create_date: '',
  tags: [],
  words: [],
  place: null,
  language: null,
  speakers: {},
  proposals: {},
  markers: [],
  notes: [],
  ticks: {},
  mind_map: null,
  unplaced: [],
  is_del: 0,
  is_protected: 0,
  is_archived: 0,
};

/** A record's editable fields as displayed and, if operations are pending, as confirmed by the server. */
export type EditableState = { readonly shown: Editable; readonly base: Editable | null };

export function readEditable(row: SqlRow): { shown: Editable; base: Editable | null } {
  const shown = readFields(row, editableColumns);
  const base = orNull<Partial<Editable>>(json)(row.base);
  // An older version, which couldn't edit all fields, may have stored the base.
  return { shown, base: base && { ...shown, ...base } };
}

/** The rule that moved a record to the recycle bin, as reported by the server; undefined if not reported. */
type BinnedBy = LocalRecord['binned_by'] | undefined;

/** Returns the columns of the editable fields, except for those about the recycle bin. */
function editableCells({ shown, base }: EditableState, updated: string): Cell[] {
  return [
    ...editableColumns.map((name): Cell => [name, columnValue(shown[name])]),
    ['base', base && JSON.stringify(base)],
    ['update_date', updated],
  ];
}

/**
 * Returns the columns with the editable fields of a new record.
 * @param updated the time of the last change (ISO 8601), which is also stored if the record is in the recycle bin
 */
export function newEditableCells(
  state: EditableState,
  updated: string,
  binnedBy: BinnedBy,
): Cell[] {
  const isBinned = state.shown.is_del === isDel.binned;
  return [
    ...editableCells(state, updated),
    ['binned_at', isBinned ? updated : null],
    ['binned_by', isBinned && binnedBy ? columnValue(binnedBy) : null],
  ];
}

/**
 * Returns the assignments of an update that writes the editable fields, and the values of their placeholders.
 * @param updated the time of the change (ISO 8601), which is also stored when the record moves to the recycle bin
 */
export function editableAssignments(
  state: EditableState,
  updated: string,
  binnedBy?: BinnedBy,
): { readonly assignments: readonly string[]; readonly values: readonly SqlValue[] } {
  const cells = editableCells(state, updated);
  const isBinned = Number(state.shown.is_del === isDel.binned);
  return {
    assignments: [
      ...cells.map(([column]) => `${column} = ?`),
      `binned_at = iif(?, iif(is_del = ${isDel.binned}, coalesce(binned_at, ?), ?), null)`,
      `binned_by = iif(?, ${binnedBy === undefined ? 'binned_by' : '?'}, null)`,
    ],
    values: [
      ...cells.map(([, value]) => value),
      ...[isBinned, updated, updated],
      ...[isBinned, ...(binnedBy === undefined ? [] : [columnValue(binnedBy)])],
    ],
  };
}

/** Returns the statement that writes the editable fields at the time `updated` (ISO 8601). */
export function writeEditable(id: string, state: EditableState, updated: string): Statement {
  const { assignments, values } = editableAssignments(state, updated);
  return [`update record set ${assignments.join(', ')} where id = ?`, [...values, id]];
}

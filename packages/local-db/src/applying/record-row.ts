import type { RecordingState, Task } from '@linnet/contract';
import { wholeSeconds } from '@linnet/contract/durations';
import { isRecordingEdit } from '@linnet/contract/operations';
import { getScene, toRecSource } from '@linnet/contract/statuses';
import {
  type Editable,
  editableFields,
  isNew,
  isTrans,
  type LocalState,
  type RecordPatch,
  rebaseRecord,
  resultsPatch,
  serverPatch,
} from '@linnet/sync';
import { number, text, textOrNull } from '../columns.ts';
import type { SqlRow, SqlValue, Statement } from '../database.ts';
import {
  editableAssignments,
  emptyFields,
  newEditableCells,
  readEditable,
  selectEditable,
} from '../editable.ts';
import { type Cell, patchCells } from '../rows.ts';
import { copyStatement } from '../statements.ts';
import type { PendingOperations } from './pending.ts';

/** The results of a task without paragraphs, which arrive as separate changes. */
export type Results = Omit<Task, 'paragraphs'>;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A record's local state while server changes are being applied. */
type RecordState = Mutable<LocalState> & {
  shown: Editable;
  base: Editable | null;
  rev: number;
  updatedAt: string;
  /** When the task identified by `results` was created. */
  resultsAt: string;
};

/** The columns that {@link RecordRow.read} reads. */
export const selectRecordRow = `select id, uid, ${selectEditable}, rev, update_date, task_id, task_language, is_trans,
  wanted_language, results_task, results_at from record`;

/** The first server row of a record that isn't on the phone yet. */
type FirstRow = { readonly uid: string; readonly row: RecordingState };

/**
 * Collects changes to a record and stores them with one statement. Writing the record once per change would take
 * several times as long.
 */
export class RecordRow {
  readonly #id: string;
  readonly #state: RecordState;
  /** Null if the phone already has the record. */
  readonly #first: FirstRow | null;
  /** Columns outside of `RecordPatch` that have changed. */
  readonly #cells = new Map<string, SqlValue>();
  #patch: RecordPatch = {};
  #peaks: Uint8Array | null = null;
  #isRebased = false;

  private constructor(id: string, state: RecordState, first: FirstRow | null) {
    this.#id = id;
    this.#state = state;
    this.#first = first;
  }

  /** Reads a row of {@link selectRecordRow}. */
  static read(row: SqlRow): RecordRow {
    const task =
      row.task_id === null ? null : { id: text(row.task_id), language: text(row.task_language) };
    const state: RecordState = {
      ...readEditable(row),
      rev: number(row.rev),
      updatedAt: text(row.update_date),
      task,
      is_trans: number(row.is_trans),
      requestedLanguage: textOrNull(row.wanted_language),
      results: textOrNull(row.results_task),
      resultsAt: text(row.results_at),
    };
    return new RecordRow(text(row.id), state, null);
  }

  /** Creates a record from the server's row, which the caller then applies. */
  static create(id: string, uid: string, row: RecordingState): RecordRow {
    const state: RecordState = {
      shown: emptyFields,
      base: null,
      rev: 0,
      updatedAt: row.updated_at,
      task: null,
      is_trans: isTrans.untranslated,
      requestedLanguage: null,
      results: null,
      resultsAt: '',
    };
    return new RecordRow(id, state, { uid, row });
  }

  /** Applies a server row, unless a later revision was applied before. @returns true if applied */
  applyRow(row: RecordingState, pending: PendingOperations): boolean {
    const state = this.#state;
    if (row.rev < state.rev) return false;
    this.#isRebased = true;
    state.base = { ...(state.base ?? state.shown), ...editableFields(row) };
    state.rev = row.rev;
    this.#cells.set('rev', row.rev);
    if (pending.forRecording(this.#id).length === 0) state.updatedAt = row.updated_at;
    this.#apply(serverPatch(row, state));
    if (row.peaks) {
      this.#peaks = Uint8Array.from(atob(row.peaks), (letter) => letter.charCodeAt(0));
    }
    return true;
  }

  /**
   * Applies a task's results, unless later results are displayed.
   * @param rev the revision of the change, or 0 for polled results, which are never newer than received changes
   * @returns the task whose transcript was replaced, or null if none was
   */
  applyResults(task: Results, rev: number): { readonly replaced: string | null } {
    const state = this.#state;
    const isStored = state.results === task.id && state.is_trans === isTrans.translated;
    if ((rev === 0 && isStored) || isEarlier(task, state)) return { replaced: null };
    const replaced = state.results === task.id ? null : state.results;
    state.results = task.id;
    state.resultsAt = task.created_at;
    this.#cells.set('results_task', task.id);
    this.#cells.set('results_at', task.created_at);
    this.#apply(resultsPatch(task, state));
    return { replaced };
  }

  /** Reapplies pending operations to the confirmed state. Call it after operations are settled. */
  rebase(): void {
    this.#isRebased = true;
  }

  /** Returns the statements that store all applied changes. */
  statements(pending: PendingOperations): Statement[] {
    const { cloud } = this.#patch.copies ?? {};
    return [
      ...(this.#first ? [this.#insert(this.#first, pending)] : this.#update(pending)),
      ...(cloud ? [copyStatement(this.#id, 'cloud', cloud)] : []),
    ];
  }

  #apply(patch: RecordPatch): void {
    this.#patch = { ...this.#patch, ...patch };
    const { task, is_trans, requestedLanguage } = patch;
    if (task !== undefined) this.#state.task = task;
    if (is_trans !== undefined) this.#state.is_trans = is_trans;
    if (requestedLanguage !== undefined) this.#state.requestedLanguage = requestedLanguage;
  }

  /** Returns the editable fields: the confirmed state plus pending operations. */
  #rebased(pending: PendingOperations) {
    const base = this.#state.base ?? this.#state.shown;
    const operations = pending.forRecording(this.#id);
    return {
      shown: rebaseRecord(base, operations),
      base: operations.some(isRecordingEdit) ? base : null,
    };
  }

  #insert({ uid, row }: FirstRow, pending: PendingOperations): Statement {
    const { binned_by, ...patch } = this.#patch;
    const cells: Cell[] = [
      ['id', this.#id],
      ['uid', uid],
      ['sn', row.sn],
      ['record_time', wholeSeconds(row.total_time)],
      ['rec_source', toRecSource(row.source)],
      ['scene', getScene(row)],
      ['audio_bytes', row.file_size],
      ['is_new', isNew.read],
      ['peaks', this.#peaks],
      ...newEditableCells(this.#rebased(pending), this.#state.updatedAt, binned_by),
      ...patchCells(patch),
      ...this.#cells,
    ];
    const columns = cells.map(([column]) => column);
    return [
      `insert into record (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      cells.map(([, value]) => value),
    ];
  }

  #update(pending: PendingOperations): Statement[] {
    const { binned_by, ...patch } = this.#patch;
    const cells = [...patchCells(patch), ...this.#cells];
    const assignments = cells.map(([column]) => `${column} = ?`);
    const values = cells.map(([, value]) => value);
    if (this.#peaks) {
      // Keep peaks measured on this phone, because they're more detailed.
      assignments.push('peaks = coalesce(peaks, ?)');
      values.push(this.#peaks);
    }
    if (this.#isRebased) {
      const { updatedAt } = this.#state;
      const editable = editableAssignments(this.#rebased(pending), updatedAt, binned_by);
      assignments.push(...editable.assignments);
      values.push(...editable.values);
    }
    if (assignments.length === 0) return [];
    return [[`update record set ${assignments.join(', ')} where id = ?`, [...values, this.#id]]];
  }
}

/** True if a task was created before the one whose results are displayed. */
function isEarlier(task: Results, { results, resultsAt }: RecordState): boolean {
  if (task.created_at !== resultsAt) return task.created_at < resultsAt;
  return results !== null && task.id < results;
}

/**
 * Applies changes from the server to the tables of recordings, paragraphs and settings. A row holds the displayed
 * state, including pending operations. While there are any, `base` holds the state confirmed by the server.
 */

import type { Change, Operation, Paragraph, RecordingState, Setting, Task } from '@linnet/contract';
import { wholeSeconds } from '@linnet/contract/durations';
import { editedRecording, isParagraphEdit, isRecordingEdit } from '@linnet/contract/operations';
import { sceneOf, taskStatus, toRecSource } from '@linnet/contract/statuses';
import {
  type Editable,
  editableFields,
  isNew,
  isTrans,
  type LocalState,
  rebaseParagraph,
  rebaseRecord,
  resultsPatch,
  serverPatch,
} from '@linnet/sync';
import { json, number, text, textOrNull } from './columns.ts';
import type { Transaction } from './commits.ts';
import type { SqlDatabase, SqlRow, SqlValue, Statement } from './database.ts';
import { keepOriginalsStatement, keptOriginalSql, originalSql } from './originals.ts';
import { readEditable, selectEditable, writeEditable } from './rows.ts';
import {
  nowSql,
  placeholders,
  removeStatements,
  sinceSql,
  updateStatements,
} from './statements.ts';

/** A queued operation. `answered` is true once the server has reported its outcome. */
export type StoredOperation = { readonly op: Operation; readonly answered: boolean };

type Results = Omit<Task, 'paragraphs'>;
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

/** Returns an account's queued operations, oldest first. */
export async function readOperations(
  database: SqlDatabase,
  uid: string,
): Promise<StoredOperation[]> {
  const rows = await database.query(
    'select body, answered from operation where uid = ? order by seq',
    [uid],
  );
  return rows.map(({ body, answered }) => ({
    op: json<Operation>(body),
    answered: answered === 1,
  }));
}

/**
 * Returns the transaction that applies server changes to the confirmed state and pending operations on top. All
 * recordings, paragraphs and settings from the server are stored through this function.
 * @param settled operations to delete because the changes include their outcomes
 */
export async function applyChanges(
  database: SqlDatabase,
  uid: string,
  changes: readonly Change[],
  settled: readonly Operation[] = [],
): Promise<Transaction> {
  const settledIds = new Set(settled.map(({ op_id }) => op_id));
  const pending = (await readOperations(database, uid))
    .map(({ op }) => op)
    .filter(({ op_id }) => !settledIds.has(op_id));
  const subjects = [...changes.map(changedRecordId), ...settled.map(editedRecording)];
  const records = new Set(subjects.filter((id) => id !== null));
  const applier = await ChangeApplier.open(database, uid, [...records], pending);
  // Apply settings before settling operations. That way, a setting whose value the server confirms keeps the time when
  // it was set on this phone.
  for (const each of changes) if (each.kind === 'setting') applier.apply(each);
  await applier.settle(settled);
  for (const each of changes) if (each.kind !== 'setting') applier.apply(each);
  return { statements: applier.statements(), records };
}

/** Returns the id of the record that a change concerns, or null for a setting. */
function changedRecordId(change: Change): string | null {
  switch (change.kind) {
    case 'setting':
      return null;
    case 'recording':
      return change.recording.client_flag || change.recording.id;
    case 'tombstone':
      return change.client_flag || change.id;
    default:
      return change.client_flag;
  }
}

class ChangeApplier {
  readonly #database: SqlDatabase;
  readonly #uid: string;
  readonly #pending: readonly Operation[];
  readonly #records = new Map<string, RecordState>();
  /** Records to ignore because they were permanently deleted or belong to another account. */
  readonly #ignored = new Set<string>();
  /** Results that arrived before their recording. */
  readonly #earlyResults = new Map<string, Results[]>();
  /** Records whose confirmed state or pending operations have changed. */
  readonly #changed = new Set<string>();
  readonly #statements: Statement[] = [];

  private constructor(database: SqlDatabase, uid: string, pending: readonly Operation[]) {
    this.#database = database;
    this.#uid = uid;
    this.#pending = pending;
  }

  static async open(
    database: SqlDatabase,
    uid: string,
    ids: readonly string[],
    pending: readonly Operation[],
  ): Promise<ChangeApplier> {
    const applier = new ChangeApplier(database, uid, pending);
    const inIds = `in (${placeholders(ids.length)})`;
    const [records, tombstones, earlyResults] = await Promise.all([
      database.query(
        `select id, uid, ${selectEditable}, rev, update_date, task_id, task_language, is_trans,
           wanted_language, results_task, results_at from record where id ${inIds}`,
        ids,
      ),
      database.query(`select id from tombstone where id ${inIds}`, ids),
      database.query(`select record_id, body from early_task where record_id ${inIds}`, ids),
    ]);
    for (const row of records) {
      const id = text(row.id);
      if (row.uid === uid) applier.#records.set(id, readRecordState(row));
      else applier.#ignored.add(id);
    }
    for (const { id } of tombstones) applier.#ignored.add(text(id));
    for (const { record_id, body } of earlyResults) {
      const id = text(record_id);
      applier.#earlyResults.set(id, [...applier.#earlyResultsOf(id), json<Results>(body)]);
    }
    return applier;
  }

  /** Deletes operations and reverts their targets to the confirmed state. */
  async settle(settled: readonly Operation[]): Promise<void> {
    for (const op of settled) {
      this.#addStatement('delete from operation where op_id = ?', [op.op_id]);
      const id = editedRecording(op);
      if (id !== null) this.#changed.add(id);
      else if (op.type === 'setting.set') this.#settleSetting(op.group_name, op.config_key);
    }
    const ids = settled.filter(isParagraphEdit).map(({ recording }) => recording);
    if (ids.length === 0) return;
    const rows = await this.#database.query(
      `select task_id, ordinal, record_id, base from paragraph
       where base is not null and record_id in (${placeholders(ids.length)})`,
      ids,
    );
    for (const row of rows) {
      const base = json<Paragraph>(row.base);
      const { shown, confirmed } = this.#serializeParagraph(text(row.record_id), base);
      this.#addStatement(
        'update paragraph set body = ?, base = ? where task_id = ? and ordinal = ?',
        [shown, confirmed, text(row.task_id), number(row.ordinal)],
      );
    }
  }

  apply(change: Change): void {
    const id = changedRecordId(change);
    if (change.kind === 'setting') this.#applySetting(change.setting);
    else if (id !== null && !this.#ignored.has(id)) this.#applyTo(id, change);
  }

  statements(): Statement[] {
    const rebased: Statement[] = [];
    for (const id of this.#changed) {
      const record = this.#records.get(id);
      if (!record) continue;
      const base = record.base ?? record.shown;
      const pending = this.#pendingOf(id);
      const shown = rebaseRecord(base, pending);
      const confirmed = pending.some(isRecordingEdit) ? base : null;
      rebased.push(writeEditable(id, { shown, base: confirmed }, record.updatedAt));
    }
    return [...this.#statements, ...rebased];
  }

  /** Applies a change to a recording that isn't ignored. */
  #applyTo(id: string, change: Exclude<Change, { kind: 'setting' }>): void {
    switch (change.kind) {
      case 'recording':
        this.#applyRecording(id, change.recording);
        break;
      case 'task':
        this.#applyResults(id, change.task, change.rev);
        break;
      case 'paragraph':
        this.#applyParagraph(id, change);
        break;
      case 'tombstone':
        this.#ignored.add(id);
        this.#records.delete(id);
        this.#statements.push(...removeStatements(id, this.#uid, change.deleted_at));
    }
  }

  #applyRecording(id: string, row: RecordingState): void {
    const record = this.#records.get(id) ?? this.#insert(id, row);
    if (row.rev < record.rev) return;
    this.#changed.add(id);
    record.base = { ...(record.base ?? record.shown), ...editableFields(row) };
    record.rev = row.rev;
    if (this.#pendingOf(id).length === 0) record.updatedAt = row.updated_at;
    this.#addStatement('update record set rev = ? where id = ?', [row.rev, id]);
    this.#patch(id, record, serverPatch(row, record));
    // Keep peaks measured on this phone, because they're more detailed.
    if (row.peaks) {
      const peaks = Uint8Array.from(atob(row.peaks), (letter) => letter.charCodeAt(0));
      this.#addStatement('update record set peaks = ? where id = ? and peaks is null', [peaks, id]);
    }
    const earlyResults = this.#earlyResultsOf(id);
    if (earlyResults.length > 0) {
      this.#addStatement('delete from early_task where record_id = ?', [id]);
    }
    for (const task of earlyResults) this.#applyResults(id, task, row.rev);
  }

  #insert(id: string, row: RecordingState): RecordState {
    this.#addStatement(
      `insert into record
         (id, uid, sn, create_date, update_date, record_time, rec_source, scene, audio_bytes, is_new)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        id,
        this.#uid,
        row.sn,
        row.recorded_at,
        row.updated_at,
        wholeSeconds(row.total_time),
        toRecSource(row.source),
        sceneOf(row),
        row.file_size,
        isNew.read,
      ],
    );
    const inserted: RecordState = {
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
    this.#records.set(id, inserted);
    return inserted;
  }

  /** @param rev the revision of the change, or 0 for polled results, which are never newer than received changes */
  #applyResults(id: string, task: Results, rev: number): void {
    // A failed task is part of the recording's row.
    if (task.status !== taskStatus.transcribed) return;
    const record = this.#records.get(id);
    if (!record) {
      this.#storeEarlyResults(id, task);
      return;
    }
    const isStored = record.results === task.id && record.is_trans === isTrans.translated;
    if ((rev === 0 && isStored) || isEarlier(task, record)) return;
    if (record.results !== null && record.results !== task.id) {
      this.#statements.push(keepOriginalsStatement(record.results));
      this.#addStatement('delete from paragraph where task_id = ?', [record.results]);
    }
    record.results = task.id;
    record.resultsAt = task.created_at;
    this.#addStatement('update record set results_task = ?, results_at = ? where id = ?', [
      task.id,
      task.created_at,
      id,
    ]);
    this.#patch(id, record, resultsPatch(task, record));
  }

  #earlyResultsOf(id: string): readonly Results[] {
    return this.#earlyResults.get(id) ?? [];
  }

  #storeEarlyResults(id: string, task: Results): void {
    this.#earlyResults.set(id, [...this.#earlyResultsOf(id), task]);
    this.#addStatement(
      `insert into early_task (task_id, record_id, body, uid) values (?, ?, ?, ?)
       on conflict (task_id) do update set body = excluded.body`,
      [task.id, id, JSON.stringify(task), this.#uid],
    );
  }

  #applyParagraph(id: string, change: Extract<Change, { kind: 'paragraph' }>): void {
    const { rev, task_id, ordinal, paragraph } = change;
    const { shown, confirmed } = this.#serializeParagraph(id, paragraph);
    // A paragraph that shows its transcribed text doesn't need a copy.
    const isEdited = paragraph.edited === true || confirmed !== null;
    const keptFrom = isEdited ? [id, paragraph.id, task_id, id, paragraph.id] : [];
    this.#addStatement(
      `insert into paragraph (task_id, ordinal, record_id, id, body, base, rev, uid, original)
       values (?, ?, ?, ?, ?, ?, ?, ?, ${isEdited ? keptOriginalSql : 'null'})
       on conflict (task_id, ordinal) do update set original = ${originalSql},
         id = excluded.id, body = excluded.body, base = excluded.base, rev = excluded.rev
       where excluded.rev >= paragraph.rev`,
      [task_id, ordinal, id, paragraph.id, shown, confirmed, rev, this.#uid, ...keptFrom],
    );
  }

  #patch(id: string, record: RecordState, patch: ReturnType<typeof serverPatch>): void {
    this.#statements.push(...updateStatements(id, patch));
    if (patch.task !== undefined) record.task = patch.task;
    if (patch.is_trans !== undefined) record.is_trans = patch.is_trans;
    if (patch.requestedLanguage !== undefined) record.requestedLanguage = patch.requestedLanguage;
  }

  /** Returns a paragraph as JSON: as displayed and, if operations are pending, as confirmed by the server. */
  #serializeParagraph(id: string, base: Paragraph): { shown: string; confirmed: string | null } {
    const pending = this.#pendingOf(id).filter(isParagraphEdit);
    const stored = JSON.stringify(base);
    return pending.some(({ paragraph }) => paragraph === base.id)
      ? { shown: JSON.stringify(rebaseParagraph(base, pending)), confirmed: stored }
      : { shown: stored, confirmed: null };
  }

  #applySetting({ group_name, config_key, config_value }: Setting): void {
    const shown = this.#pendingSetting(group_name, config_key) ?? config_value;
    this.#addStatement(
      `insert into setting (uid, group_name, config_key, config_value, base, since)
       values (?, ?, ?, ?, ?, ${nowSql}) on conflict (uid, group_name, config_key)
       do update set since = ${sinceSql}, config_value = excluded.config_value, base = excluded.base`,
      [this.#uid, group_name, config_key, shown, config_value],
    );
  }

  #settleSetting(group: string, key: string): void {
    const settingKey = [this.#uid, group, key];
    const where = 'where uid = ? and group_name = ? and config_key = ?';
    const pending = this.#pendingSetting(group, key);
    if (pending !== undefined) {
      this.#addStatement(
        `update setting set since = iif(config_value = ?, since, ${nowSql}), config_value = ? ${where}`,
        [pending, pending, ...settingKey],
      );
      return;
    }
    this.#addStatement(`delete from setting ${where} and base is null`, settingKey);
    this.#addStatement(
      `update setting set since = iif(config_value = base, since, ${nowSql}), config_value = base ${where}`,
      settingKey,
    );
  }

  #pendingSetting(group: string, key: string): string | undefined {
    return this.#pending
      .filter((op) => op.type === 'setting.set')
      .findLast((op) => op.group_name === group && op.config_key === key)?.config_value;
  }

  #pendingOf(id: string): Operation[] {
    return this.#pending.filter((op) => editedRecording(op) === id);
  }

  #addStatement(sql: string, values: readonly SqlValue[]): void {
    this.#statements.push([sql, values]);
  }
}

function readRecordState(row: SqlRow): RecordState {
  return {
    ...readEditable(row),
    rev: number(row.rev),
    updatedAt: text(row.update_date),
    task:
      row.task_id === null ? null : { id: text(row.task_id), language: text(row.task_language) },
    is_trans: number(row.is_trans),
    requestedLanguage: textOrNull(row.wanted_language),
    results: textOrNull(row.results_task),
    resultsAt: text(row.results_at),
  };
}

/** True if a task was created before the one whose results are displayed. */
function isEarlier(task: Results, { results, resultsAt }: RecordState): boolean {
  if (task.created_at !== resultsAt) return task.created_at < resultsAt;
  return results !== null && task.id < results;
}

import type { Change, Operation, Paragraph, RecordingState, Setting, Task } from '@linnet/contract';
import { editedRecording, isParagraphEdit, isRecordingEdit } from '@linnet/contract/operations';
import { taskStatus, toRecSource } from '@linnet/contract/statuses';
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
import type { Writing } from './commits.ts';
import type { SqlDatabase, SqlRow, SqlValue, Statement } from './database.ts';
import { originalSql } from './originals.ts';
import { readEditable, selectEditable, writeEditable } from './rows.ts';
import { now, placeholders, removeStatements, sinceSql, updateStatements } from './statements.ts';

/** An operation stored on the phone. */
export type StoredOperation = { readonly op: Operation; readonly answered: boolean };

type Results = Omit<Task, 'paragraphs'>;
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The local state of a record, to which server changes are applied. */
type Known = Writable<LocalState> & {
  shown: Editable;
  base: Editable | null;
  rev: number;
  updated: string;
  /** When the task of `results` was created. */
  resultsAt: string;
};

const unedited: Editable = {
  title: '',
  tags: [],
  place: null,
  speakers: {},
  markers: [],
  ticks: {},
  mind_map: null,
  is_del: 0,
};

/** Returns the queued operations of an account, oldest first. */
export async function storedOperations(
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
 * Applies server changes under pending local operations. All server data of recordings, paragraphs and settings enters
 * here.
 * @param settled operations whose outcome the changes include: they are deleted
 */
export async function applyChanges(
  database: SqlDatabase,
  uid: string,
  changes: readonly Change[],
  settled: readonly Operation[] = [],
): Promise<Writing> {
  const settledIds = new Set(settled.map(({ op_id }) => op_id));
  const pending = (await storedOperations(database, uid))
    .map(({ op }) => op)
    .filter(({ op_id }) => !settledIds.has(op_id));
  const subjects = [...changes.map(subjectId), ...settled.map(editedRecording)];
  const records = new Set(subjects.filter((id) => id !== null));
  const intake = await Intake.open(database, uid, [...records], pending);
  // Settings first: a settled one keeps the time at which it was set on this phone, if the server has the same value.
  for (const each of changes) if (each.kind === 'setting') intake.apply(each);
  await intake.settle(settled);
  for (const each of changes) if (each.kind !== 'setting') intake.apply(each);
  return { statements: intake.statements(), records };
}

/** Returns the id of the record that a change concerns, or null for a setting. */
function subjectId(change: Change): string | null {
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

class Intake {
  readonly #database: SqlDatabase;
  readonly #uid: string;
  readonly #pending: readonly Operation[];
  readonly #known = new Map<string, Known>();
  /** Records whose changes are ignored: permanently deleted, or another account's on this phone. */
  readonly #closed = new Set<string>();
  /** Results received before their recording. */
  readonly #early = new Map<string, Results[]>();
  /** Records whose confirmed state or pending operations changed. */
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
  ): Promise<Intake> {
    const intake = new Intake(database, uid, pending);
    const among = `in (${placeholders(ids.length)})`;
    const [records, dead, early] = await Promise.all([
      database.query(
        `select id, uid, ${selectEditable}, rev, update_date, task_id, task_language, is_trans,
           wanted_language, results_task, results_at from record where id ${among}`,
        ids,
      ),
      database.query(`select id from tombstone where id ${among}`, ids),
      database.query(`select record_id, body from early_task where record_id ${among}`, ids),
    ]);
    for (const row of records) {
      const id = text(row.id);
      if (row.uid === uid) intake.#known.set(id, readKnown(row));
      else intake.#closed.add(id);
    }
    for (const { id } of dead) intake.#closed.add(text(id));
    for (const { record_id, body } of early) {
      const id = text(record_id);
      intake.#early.set(id, [...intake.#earlyOf(id), json<Results>(body)]);
    }
    return intake;
  }

  /** Deletes operations, and reverts their targets to the confirmed state. */
  async settle(settled: readonly Operation[]): Promise<void> {
    for (const op of settled) {
      this.#write('delete from operation where op_id = ?', [op.op_id]);
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
      const { shown, confirmed } = this.#paragraph(text(row.record_id), base);
      this.#write('update paragraph set body = ?, base = ? where task_id = ? and ordinal = ?', [
        shown,
        confirmed,
        text(row.task_id),
        number(row.ordinal),
      ]);
    }
  }

  apply(change: Change): void {
    const id = subjectId(change);
    if (change.kind === 'setting') this.#applySetting(change.setting);
    else if (id !== null && !this.#closed.has(id)) this.#applyTo(id, change);
  }

  statements(): Statement[] {
    const rebased: Statement[] = [];
    for (const id of this.#changed) {
      const known = this.#known.get(id);
      if (!known) continue;
      const base = known.base ?? known.shown;
      const pending = this.#pendingOf(id);
      const shown = rebaseRecord(base, pending);
      const confirmed = pending.some(isRecordingEdit) ? base : null;
      rebased.push(writeEditable(id, { shown, base: confirmed }, known.updated));
    }
    return [...this.#statements, ...rebased];
  }

  /** Applies a change of a recording that is not closed. */
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
        this.#closed.add(id);
        this.#known.delete(id);
        this.#statements.push(...removeStatements(id, this.#uid, change.deleted_at));
    }
  }

  #applyRecording(id: string, row: RecordingState): void {
    const known = this.#known.get(id) ?? this.#insert(id, row);
    if (row.rev < known.rev) return;
    this.#changed.add(id);
    known.base = { ...(known.base ?? known.shown), ...editableFields(row) };
    known.rev = row.rev;
    if (this.#pendingOf(id).length === 0) known.updated = row.updated_at;
    this.#write('update record set rev = ? where id = ?', [row.rev, id]);
    this.#patch(id, known, serverPatch(row, known));
    // Peaks measured on this phone are finer.
    if (row.peaks) {
      const peaks = Uint8Array.from(atob(row.peaks), (letter) => letter.charCodeAt(0));
      this.#write('update record set peaks = ? where id = ? and peaks is null', [peaks, id]);
    }
    const early = this.#earlyOf(id);
    if (early.length > 0) this.#write('delete from early_task where record_id = ?', [id]);
    for (const task of early) this.#applyResults(id, task, row.rev);
  }

  #insert(id: string, row: RecordingState): Known {
    this.#write(
      `insert into record
         (id, uid, sn, create_date, update_date, record_time, rec_source, audio_bytes, is_new)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        id,
        this.#uid,
        row.sn,
        row.recorded_at,
        row.updated_at,
        Math.round(row.total_time),
        toRecSource(row.source),
        row.file_size,
        isNew.read,
      ],
    );
    const added: Known = {
      shown: unedited,
      base: null,
      rev: 0,
      updated: row.updated_at,
      task: null,
      is_trans: isTrans.untranslated,
      requestedLanguage: null,
      results: null,
      resultsAt: '',
    };
    this.#known.set(id, added);
    return added;
  }

  /** @param rev 0 for polled results, which are never newer than those received as changes */
  #applyResults(id: string, task: Results, rev: number): void {
    // A failed task is reported with the recording.
    if (task.status !== taskStatus.transcribed) return;
    const known = this.#known.get(id);
    if (!known) {
      this.#storeEarly(id, task);
      return;
    }
    const isStored = known.results === task.id && known.is_trans === isTrans.translated;
    if ((rev === 0 && isStored) || isEarlier(task, known)) return;
    if (known.results !== null && known.results !== task.id) {
      this.#write('delete from paragraph where task_id = ?', [known.results]);
    }
    known.results = task.id;
    known.resultsAt = task.created_at;
    this.#write('update record set results_task = ?, results_at = ? where id = ?', [
      task.id,
      task.created_at,
      id,
    ]);
    this.#patch(id, known, resultsPatch(task, known));
  }

  #earlyOf(id: string): readonly Results[] {
    return this.#early.get(id) ?? [];
  }

  #storeEarly(id: string, task: Results): void {
    this.#early.set(id, [...this.#earlyOf(id), task]);
    this.#write(
      `insert into early_task (task_id, record_id, body, uid) values (?, ?, ?, ?)
       on conflict (task_id) do update set body = excluded.body`,
      [task.id, id, JSON.stringify(task), this.#uid],
    );
  }

  #applyParagraph(id: string, change: Extract<Change, { kind: 'paragraph' }>): void {
    const { rev, task_id, ordinal, paragraph } = change;
    const { shown, confirmed } = this.#paragraph(id, paragraph);
    this.#write(
      `insert into paragraph (task_id, ordinal, record_id, id, body, base, rev, uid)
       values (?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (task_id, ordinal) do update set original = ${originalSql},
         id = excluded.id, body = excluded.body, base = excluded.base, rev = excluded.rev
       where excluded.rev >= paragraph.rev`,
      [task_id, ordinal, id, paragraph.id, shown, confirmed, rev, this.#uid],
    );
  }

  #patch(id: string, known: Known, patch: ReturnType<typeof serverPatch>): void {
    this.#statements.push(...updateStatements(id, patch));
    if (patch.task !== undefined) known.task = patch.task;
    if (patch.is_trans !== undefined) known.is_trans = patch.is_trans;
    if (patch.requestedLanguage !== undefined) known.requestedLanguage = patch.requestedLanguage;
  }

  /** The stored forms of a paragraph: as shown, and as confirmed if operations are pending. */
  #paragraph(id: string, base: Paragraph): { shown: string; confirmed: string | null } {
    const pending = this.#pendingOf(id).filter(isParagraphEdit);
    const stored = JSON.stringify(base);
    return pending.some(({ paragraph }) => paragraph === base.id)
      ? { shown: JSON.stringify(rebaseParagraph(base, pending)), confirmed: stored }
      : { shown: stored, confirmed: null };
  }

  #applySetting({ group_name, config_key, config_value }: Setting): void {
    const shown = this.#pendingSetting(group_name, config_key) ?? config_value;
    this.#write(
      `insert into setting (uid, group_name, config_key, config_value, base, since)
       values (?, ?, ?, ?, ?, ${now}) on conflict (uid, group_name, config_key)
       do update set since = ${sinceSql}, config_value = excluded.config_value, base = excluded.base`,
      [this.#uid, group_name, config_key, shown, config_value],
    );
  }

  #settleSetting(group: string, key: string): void {
    const which = [this.#uid, group, key];
    const where = 'where uid = ? and group_name = ? and config_key = ?';
    const pending = this.#pendingSetting(group, key);
    if (pending !== undefined) {
      this.#write(
        `update setting set since = iif(config_value = ?, since, ${now}), config_value = ? ${where}`,
        [pending, pending, ...which],
      );
      return;
    }
    this.#write(`delete from setting ${where} and base is null`, which);
    this.#write(
      `update setting set since = iif(config_value = base, since, ${now}), config_value = base ${where}`,
      which,
    );
  }

  #pendingSetting(group: string, key: string): string | undefined {
    return this.#pending
      .filter((op) => op.type === 'setting.set')
      .findLast((op) => op.group_name === group && op.config_key === key)?.config_value;
  }

  /** The pending operations of a record. */
  #pendingOf(id: string): Operation[] {
    return this.#pending.filter((op) => editedRecording(op) === id);
  }

  #write(sql: string, values: readonly SqlValue[]): void {
    this.#statements.push([sql, values]);
  }
}

function readKnown(row: SqlRow): Known {
  return {
    ...readEditable(row),
    rev: number(row.rev),
    updated: text(row.update_date),
    task:
      row.task_id === null ? null : { id: text(row.task_id), language: text(row.task_language) },
    is_trans: number(row.is_trans),
    requestedLanguage: textOrNull(row.wanted_language),
    results: textOrNull(row.results_task),
    resultsAt: text(row.results_at),
  };
}

/** Whether a task was created before the task whose results are shown. */
function isEarlier(task: Results, { results, resultsAt }: Known): boolean {
  if (task.created_at !== resultsAt) return task.created_at < resultsAt;
  return results !== null && task.id < results;
}

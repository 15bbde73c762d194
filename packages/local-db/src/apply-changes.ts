/**
 * Applies changes from the server to the tables of recordings, paragraphs and settings. A row holds the displayed
 * state, including pending operations. While operations are pending, `base` holds the state confirmed by the server.
 */

import type { Change, Operation, RecordingState } from '@linnet/contract';
import { editedRecording, isParagraphEdit } from '@linnet/contract/operations';
import { taskStatus } from '@linnet/contract/statuses';
import { ParagraphRows, settleParagraphs } from './applying/paragraph-rows.ts';
import { PendingOperations, readOperations } from './applying/pending.ts';
import { RecordRow, type Results, selectRecordRow } from './applying/record-row.ts';
import { applySetting, settleSetting } from './applying/setting-rows.ts';
import { json, text } from './columns.ts';
import type { Transaction } from './commits.ts';
import type { SqlDatabase, Statement } from './database.ts';
import { keepOriginalsStatement } from './originals.ts';
import { removeStatements } from './statements.ts';

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
  const pendingOperations = (await readOperations(database, uid))
    .map(({ op }) => op)
    .filter(({ op_id }) => !settledIds.has(op_id));
  const subjects = [...changes.map(changedRecordId), ...settled.map(editedRecording)];
  const records = new Set(subjects.filter((id) => id !== null));
  const applier = await ChangeApplier.open(
    database,
    uid,
    [...records],
    new PendingOperations(pendingOperations),
  );
  // Apply settings before settling operations, so a setting whose value the server confirms keeps the time when it was
  // set on this phone.
  for (const each of changes) if (each.kind === 'setting') applier.apply(each);
  await applier.settle(settled);
  for (const each of changes) if (each.kind !== 'setting') applier.apply(each);
  return { statements: applier.statements(), records };
}

/** Returns the ID of the changed record, or null for a setting. */
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
  readonly #pending: PendingOperations;
  readonly #records = new Map<string, RecordRow>();
  /** Records to ignore because they were permanently deleted or belong to another account. */
  readonly #ignored = new Set<string>();
  /** Results that arrived before their recording, by task, in order of first arrival. */
  readonly #earlyResults = new Map<string, Map<string, Results>>();
  readonly #paragraphs: ParagraphRows;
  /**
   * The statements to run. A record is a placeholder for its statements, which are created after all changes are
   * applied.
   */
  readonly #steps = new Set<Statement | RecordRow>();

  private constructor(database: SqlDatabase, uid: string, pending: PendingOperations) {
    this.#database = database;
    this.#uid = uid;
    this.#pending = pending;
    this.#paragraphs = new ParagraphRows(uid, pending);
  }

  static async open(
    database: SqlDatabase,
    uid: string,
    ids: readonly string[],
    pending: PendingOperations,
  ): Promise<ChangeApplier> {
    const applier = new ChangeApplier(database, uid, pending);
    const inIds = 'in (select value from json_each(?))';
    const values = [JSON.stringify(ids)];
    const [records, tombstones, earlyResults] = await Promise.all([
      database.query(`${selectRecordRow} where id ${inIds}`, values),
      database.query(`select id from tombstone where id ${inIds}`, values),
      database.query(
        `select record_id, body from early_task where record_id ${inIds} order by rowid`,
        values,
      ),
    ]);
    for (const row of records) {
      const id = text(row.id);
      if (row.uid === uid) applier.#records.set(id, RecordRow.read(row));
      else applier.#ignored.add(id);
    }
    for (const { id } of tombstones) applier.#ignored.add(text(id));
    for (const { record_id, body } of earlyResults) {
      applier.#keepEarlyResults(text(record_id), json<Results>(body));
    }
    return applier;
  }

  /** Deletes operations and reverts their targets to the confirmed state. */
  async settle(settled: readonly Operation[]): Promise<void> {
    for (const op of settled) {
      this.#add(['delete from operation where op_id = ?', [op.op_id]]);
      const id = editedRecording(op);
      if (id !== null) {
        const record = this.#records.get(id);
        record?.rebase();
        if (record) this.#steps.add(record);
      } else if (op.type === 'setting.set') {
        this.#add(...settleSetting(this.#uid, op, this.#pending));
      }
    }
    const ids = settled.filter(isParagraphEdit).map(({ recording }) => recording);
    this.#add(...(await settleParagraphs(this.#database, ids, this.#pending)));
  }

  apply(change: Change): void {
    const id = changedRecordId(change);
    if (change.kind === 'setting') {
      this.#add(applySetting(this.#uid, change.setting, this.#pending));
    } else if (id !== null && !this.#ignored.has(id)) this.#applyTo(id, change);
  }

  statements(): Statement[] {
    this.#add(...this.#paragraphs.flush());
    return [...this.#steps].flatMap((step) =>
      step instanceof RecordRow ? step.statements(this.#pending) : [step],
    );
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
        this.#add(...this.#paragraphs.add(id, change));
        break;
      case 'tombstone':
        this.#remove(id, change.deleted_at);
    }
  }

  #applyRecording(id: string, row: RecordingState): void {
    const record = this.#records.get(id) ?? RecordRow.create(id, this.#uid, row);
    if (!record.applyRow(row, this.#pending)) return;
    this.#records.set(id, record);
    this.#steps.add(record);
    const earlyResults = this.#earlyResults.get(id);
    if (!earlyResults) return;
    this.#earlyResults.delete(id);
    this.#add(['delete from early_task where record_id = ?', [id]]);
    for (const task of earlyResults.values()) this.#applyResults(id, task, row.rev);
  }

  #applyResults(id: string, task: Results, rev: number): void {
    // A failed task is part of the recording's row.
    if (task.status !== taskStatus.transcribed) return;
    const record = this.#records.get(id);
    if (!record) {
      this.#storeEarlyResults(id, task);
      return;
    }
    const { replaced } = record.applyResults(task, rev);
    this.#steps.add(record);
    if (replaced === null) return;
    this.#add(...this.#paragraphs.flush(), keepOriginalsStatement(replaced), [
      'delete from paragraph where task_id = ?',
      [replaced],
    ]);
  }

  #keepEarlyResults(id: string, task: Results): void {
    const results = this.#earlyResults.get(id) ?? new Map<string, Results>();
    this.#earlyResults.set(id, results.set(task.id, task));
  }

  #storeEarlyResults(id: string, task: Results): void {
    this.#keepEarlyResults(id, task);
    this.#add([
      `insert into early_task (task_id, record_id, body, uid) values (?, ?, ?, ?)
       on conflict (task_id) do update set body = excluded.body`,
      [task.id, id, JSON.stringify(task), this.#uid],
    ]);
  }

  #remove(id: string, deletedAt: string): void {
    this.#ignored.add(id);
    const record = this.#records.get(id);
    if (record) this.#steps.delete(record);
    this.#records.delete(id);
    this.#add(...this.#paragraphs.flush(), ...removeStatements(id, this.#uid, deletedAt));
  }

  #add(...statements: readonly Statement[]): void {
    for (const statement of statements) this.#steps.add(statement);
  }
}

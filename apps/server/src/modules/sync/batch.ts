import { setImmediate } from 'node:timers/promises';
import type { Setting } from '@linnet/contract';
import type { Edit, EditableFields, ParagraphChange } from '@linnet/contract/operations';
import { getRegister, getRegisterPrefix } from '@linnet/contract/operations';
import { storageSetting, taskStatus, voiceSetting } from '@linnet/contract/statuses';
import type { WebhookEvent } from '@linnet/contract/webhooks';
import { sql } from 'kysely';
import type { NewRow, Row, Transaction } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { deleteLiveSessions } from '../live/service.ts';
import { freeAudio } from '../recording/free-audio.ts';
import type { Settings } from '../setting/settings.ts';
import { readStoredSettings, toSettings, withSetting, writeSettings } from '../setting/settings.ts';
import { activeStatuses } from '../task/active-tasks.ts';
import { cancelActiveTasks } from '../task/cancel.ts';
import { type OnNamingFailure, renameInSummary } from '../task/summary-names.ts';
import { deleteAllVoices, markAnswered, refreshProposals } from '../voice/voices.ts';
import { recordWebhookEvents } from '../webhook/events.ts';
import { insertOperations, updateParagraphs, updateRecordings } from './batch-writes.ts';
import type { RegisterWrite } from './conflict.ts';
import type { EraseDependencies } from './erase.ts';
import { eraseRecordings, insertTombstones } from './erase.ts';

type Paragraph = Row<'paragraphs'> & {
  readonly recording_id: string;
  /** ID of the task with the recording's latest transcript. */
  readonly latest_task_id: string | null;
};
export interface BatchDependencies extends EraseDependencies {
  /**
   * Whether to send `recording.edited` events. False for changes caused by a new transcript, which has its own events.
   */
  readonly isUserEdit?: boolean;
  readonly onNamingFailure?: OnNamingFailure | undefined;
}

type StoredSetting = Awaited<ReturnType<typeof readStoredSettings>>[number];

/** A change to a paragraph whose transcript has been replaced by a newer transcript. */
export interface LateChange {
  readonly recordingId: string;
  /** ID of the task with the latest transcript. */
  readonly latest: string;
  readonly before: Row<'paragraphs'>;
  readonly after: Row<'paragraphs'>;
}

/**
 * The rows that a batch of operations reads and writes. All rows are read before the first operation, changed in
 * memory, and written after the last operation, so the number of SQL statements doesn't grow with the number of
 * operations. The exception is recordings whose speakers change: updating their summaries takes up to six statements
 * each. The transaction must already hold the account's lock.
 */
export class Batch {
  readonly #trx: Transaction;
  readonly #deps: BatchDependencies;
  readonly #accountId: string;
  readonly #startRev: number;
  #rev: number;
  readonly #recordings = new Map<string, Row<'recordings'>>();
  readonly #paragraphs = new Map<string, Paragraph>();
  readonly #deleted = new Set<string>();
  /** IDs of the recordings with an active task. */
  readonly #withActiveTask = new Set<string>();
  /** The operation that wrote each register's current value, keyed by register. */
  readonly #lastWrites = new Map<string, RegisterWrite>();
  /** Stored settings, keyed by group and key. */
  readonly #storedSettings = new Map<string, StoredSetting>();
  #settings: Settings = toSettings([]);

  /** The paragraphs' rows before the batch changed them, keyed by ID. */
  readonly #originals = new Map<string, Row<'paragraphs'>>();
  readonly #touchedRecordings = new Set<string>();
  readonly #touchedParagraphs = new Set<string>();
  readonly #touchedSettings = new Map<string, StoredSetting>();
  readonly #erased: { row: Row<'recordings'>; rev: number }[] = [];
  readonly #tombstones: { id?: string; client_flag: string; rev: number }[] = [];
  readonly #operations: NewRow<'operations'>[] = [];
  /** The speakers that were named, or whose name or proposal was removed. No names are proposed for them anymore. */
  readonly #answered: { recordingId: string; speaker: string }[] = [];
  /** IDs of the recordings whose speakers were named or assigned. */
  readonly #withChangedSpeakers = new Set<string>();
  #storageRev: number | null = null;
  #forgetsVoices = false;

  private constructor(trx: Transaction, deps: BatchDependencies, accountId: string, rev: number) {
    this.#trx = trx;
    this.#deps = deps;
    this.#accountId = accountId;
    this.#startRev = rev;
    this.#rev = rev;
  }

  /**
   * Reads the rows that the edits refer to.
   * @param rev the account's revision, read after the account was locked
   */
  static async read(
    trx: Transaction,
    deps: BatchDependencies,
    accountId: string,
    edits: readonly Edit[],
    rev: number,
  ): Promise<Batch> {
    const batch = new Batch(trx, deps, accountId, rev);
    await batch.#read(edits);
    return batch;
  }

  /** The account's latest revision, including revisions assigned in this batch. */
  get rev(): number {
    return this.#rev;
  }

  /** Assigns the account's next revision. */
  nextRevision(): number {
    this.#rev += 1;
    return this.#rev;
  }

  recording(clientFlag: string): Row<'recordings'> | undefined {
    return this.#recordings.get(clientFlag);
  }

  isDeleted(clientFlag: string): boolean {
    return this.#deleted.has(clientFlag);
  }

  /** Returns a paragraph of any of the recording's transcripts. */
  paragraph(recordingId: string, id: string): Row<'paragraphs'> | undefined {
    const paragraph = this.#paragraphs.get(id.toLowerCase());
    return paragraph?.recording_id === recordingId ? paragraph : undefined;
  }

  /** The account's current settings, including defaults. */
  get settings(): Settings {
    return this.#settings;
  }

  /** Returns the operation that wrote a register's current value, or null if the register was never written. */
  lastWrite(register: string): RegisterWrite | null {
    return this.#lastWrites.get(register) ?? null;
  }

  patchRecording(row: Row<'recordings'>, change: Partial<EditableFields>, rev: number): void {
    const { recorded_at, ...fields } = change;
    if (change.is_del !== undefined) {
      if (change.is_del === 0 && row.is_del === 1) row.restored_at = this.#deps.now();
      row.binned_at = change.is_del === 1 ? this.#deps.now() : null;
      row.binned_by = null;
    }
    Object.assign(row, fields, { rev });
    if (recorded_at !== undefined) row.recorded_at = new Date(recorded_at);
    if (change.speakers !== undefined) this.#withChangedSpeakers.add(row.id);
    this.#touchedRecordings.add(row.client_flag);
  }

  /** Records that the user has named a speaker, removed its name or dismissed its proposed name. */
  answerSpeaker({ id: recordingId }: Row<'recordings'>, speaker: string): void {
    this.#answered.push({ recordingId, speaker });
  }

  patchParagraph(row: Row<'paragraphs'>, change: ParagraphChange, rev: number): void {
    if (!this.#originals.has(row.id)) this.#originals.set(row.id, { ...row });
    if ('content' in change) row.original ??= row.content;
    Object.assign(row, change, { rev });
    const recordingId = this.#paragraphs.get(row.id)?.recording_id;
    if ('speaker' in change && recordingId !== undefined) {
      this.#withChangedSpeakers.add(recordingId);
    }
    this.#touchedParagraphs.add(row.id);
  }

  /** Returns the changes to paragraphs of replaced transcripts, except for deleted recordings. */
  lateChanges(): LateChange[] {
    const erased = new Set(this.#erased.map(({ row }) => row.id));
    return [...this.#originals.values()].flatMap((before) => {
      const paragraphAfter = this.#paragraphs.get(before.id);
      if (!paragraphAfter || erased.has(paragraphAfter.recording_id)) return [];
      const { recording_id: recordingId, latest_task_id: latest } = paragraphAfter;
      return latest === null || latest === paragraphAfter.task_id
        ? []
        : [{ recordingId, latest, before, after: paragraphAfter }];
    });
  }

  /** Cancels a recording's active tasks. Unlike all other changes, this is written to the database immediately. */
  async cancelTasks({ id }: Row<'recordings'>, rev: number): Promise<void> {
    if (!this.#withActiveTask.delete(id)) return;
    await cancelActiveTasks(this.#trx, this.#deps, id, rev);
  }

  erase(row: Row<'recordings'>, rev: number): void {
    this.#erased.push({ row, rev });
    this.#recordings.delete(row.client_flag);
    this.#touchedRecordings.delete(row.client_flag);
    this.#addTombstone({ id: row.id, client_flag: row.client_flag, rev });
  }

  /** Marks a client flag as deleted even though no recording with it exists yet. */
  eraseUnknown(clientFlag: string, rev: number): void {
    this.#addTombstone({ client_flag: clientFlag, rev });
  }

  setSetting(setting: Setting, rev: number): void {
    const { group_name, config_key, config_value } = setting;
    const settingName = settingKey(setting);
    const previous =
      this.#touchedSettings.get(settingName) ?? this.#storedSettings.get(settingName);
    this.#settings = withSetting(this.#settings, setting);
    const isUnchanged = previous?.config_value === config_value;
    const isDefault = !previous && toSettings([])[group_name]?.[config_key] === config_value;
    // A setting stored for the first time with its default value has had that value all along.
    const newSince = isDefault ? 0 : rev;
    this.#touchedSettings.set(settingName, {
      group_name,
      config_key,
      config_value,
      since: isUnchanged ? previous.since : newSince,
      changed_at: isUnchanged ? previous.changed_at : this.#deps.now(),
      rev,
    });
    // The storage settings also determine which audio the server may delete.
    if (group_name === storageSetting.group) this.#storageRev = rev;
    const isVoices = group_name === voiceSetting.group && config_key === voiceSetting.key;
    if (isVoices && config_value !== '1') this.#forgetsVoices = true;
  }

  /** Records an operation's outcome. */
  record(operation: NewRow<'operations'>, written: RegisterWrite | null): void {
    this.#operations.push(operation);
    if (written) this.#lastWrites.set(operation.register, written);
  }

  async write(): Promise<void> {
    const trx = this.#trx;
    const recordings = [...this.#touchedRecordings];
    await updateRecordings(
      trx,
      recordings.flatMap((flag) => this.#recordings.get(flag) ?? []),
      this.#deps.now(),
    );
    const paragraphs = [...this.#touchedParagraphs];
    await updateParagraphs(
      trx,
      paragraphs.flatMap((id) => this.#paragraphs.get(id) ?? []),
    );
    const settings = [...this.#touchedSettings.values()];
    if (settings.length > 0) await writeSettings(trx, this.#accountId, settings);
    // Delete threads before the recordings they quote: storing an answer locks them in this order too, which avoids
    // deadlocks.
    if (this.#tombstones.length > 0) {
      await insertTombstones(trx, this.#accountId, this.#tombstones, this.#deps.now());
    }
    if (this.#erased.length > 0) {
      await eraseRecordings(trx, this.#deps, this.#accountId, this.#erased, this.#withActiveTask);
    }
    if (this.#tombstones.length > 0) {
      const flags = this.#tombstones.map(({ client_flag }) => client_flag);
      await deleteLiveSessions(trx, this.#deps.minutes, this.#accountId, flags);
    }
    for (const { row } of this.#erased) this.#withChangedSpeakers.delete(row.id);
    for (const id of this.#withChangedSpeakers) {
      await renameInSummary(trx, id, this.#deps.now(), this.#deps.onNamingFailure);
      // Yield to the event loop, so other requests can run.
      await setImmediate();
    }
    await this.#writeVoices();
    await insertOperations(trx, this.#operationsToStore());
    await this.#recordEvents();
    if (this.#rev > this.#startRev) {
      await trx
        .updateTable('accounts')
        .set({ rev: this.#rev })
        .where('id', '=', this.#accountId)
        .execute();
    }
    if (this.#storageRev !== null) {
      await freeAudio(trx, this.#deps.queue, this.#accountId, {
        rev: this.#storageRev,
        now: this.#deps.now(),
      });
    }
  }

  #addTombstone(tombstone: { id?: string; client_flag: string; rev: number }): void {
    this.#tombstones.push(tombstone);
    this.#deleted.add(tombstone.client_flag);
  }

  /** Returns the operations to store. Operations on permanently deleted recordings are stored without their values. */
  #operationsToStore(): NewRow<'operations'>[] {
    const prefixes = this.#erased.map(({ row }) => getRegisterPrefix(row.client_flag));
    return this.#operations.map((operation) =>
      prefixes.some((prefix) => operation.register.startsWith(prefix))
        ? { ...operation, value: null }
        : operation,
    );
  }

  async #read(edits: readonly Edit[]): Promise<void> {
    const trx = this.#trx;
    const recordingEdits = edits.flatMap((edit) => (edit.type === 'setting.set' ? [] : [edit]));
    const flags = [...new Set(recordingEdits.map(({ recording }) => recording))];
    if (recordingEdits.length < edits.length) {
      const stored = await readStoredSettings(trx, this.#accountId);
      for (const setting of stored) this.#storedSettings.set(settingKey(setting), setting);
      this.#settings = toSettings(stored);
    }
    await this.#readLastWrites([...new Set(edits.map(getRegister))]);
    if (flags.length === 0) return;
    const rows = await trx
      .selectFrom('recordings')
      .selectAll()
      .where('account_id', '=', this.#accountId)
      .where('client_flag', '=', sql<string>`any(${flags}::text[])`)
      .execute();
    for (const row of rows) this.#recordings.set(row.client_flag, row);
    const tombstones = await trx
      .selectFrom('tombstones')
      .select('client_flag')
      .where('account_id', '=', this.#accountId)
      .where('client_flag', '=', sql<string>`any(${flags}::text[])`)
      .execute();
    for (const { client_flag } of tombstones) this.#deleted.add(client_flag ?? '');
    if (recordingEdits.some(({ type }) => /\.(bin|delete)$/.test(type))) {
      const activeTasks = await trx
        .selectFrom('tasks')
        .select('recording_id')
        .where('recording_id', '=', sql<string>`any(${rows.map(({ id }) => id)}::uuid[])`)
        .where('status', 'in', activeStatuses)
        .execute();
      for (const { recording_id } of activeTasks) this.#withActiveTask.add(recording_id);
    }
    const ids = recordingEdits.flatMap((edit) =>
      'paragraph' in edit && isId(edit.paragraph) ? [edit.paragraph] : [],
    );
    if (ids.length > 0) await this.#readParagraphs([...new Set(ids)]);
  }

  async #readParagraphs(ids: readonly string[]): Promise<void> {
    const rows = await this.#trx
      .selectFrom('paragraphs')
      .innerJoin('tasks', 'tasks.id', 'paragraphs.task_id')
      .selectAll('paragraphs')
      .select((query) => [
        'tasks.recording_id',
        query
          .selectFrom('tasks as transcripts')
          .select('transcripts.id')
          .whereRef('transcripts.recording_id', '=', 'tasks.recording_id')
          .where('transcripts.status', '=', taskStatus.transcribed)
          .orderBy('transcripts.created_at', 'desc')
          .orderBy('transcripts.id', 'desc')
          .limit(1)
          .as('latest_task_id'),
      ])
      .where('paragraphs.account_id', '=', this.#accountId)
      .where('paragraphs.id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute();
    for (const row of rows) this.#paragraphs.set(row.id, row);
  }

  async #readLastWrites(registers: readonly string[]): Promise<void> {
    const rows = await this.#trx
      .selectFrom('operations')
      .distinctOn('register')
      .select(['register', 'rev', 'base_rev', 'at', 'own_at'])
      .where('account_id', '=', this.#accountId)
      .where('register', '=', sql<string>`any(${registers}::text[])`)
      .where('outcome', '=', 'applied')
      .orderBy('register')
      .orderBy('rev', 'desc')
      .execute();
    for (const { register, ...written } of rows) this.#lastWrites.set(register, written);
  }

  /** Records webhook events for edited and deleted recordings. */
  async #recordEvents(): Promise<void> {
    const edited = [...this.#touchedRecordings].flatMap((flag) => this.#recordings.get(flag) ?? []);
    const toEvent = (type: WebhookEvent, { id, client_flag }: Row<'recordings'>) => {
      return { type, recordingId: id, clientFlag: client_flag };
    };
    await recordWebhookEvents(this.#trx, this.#deps, this.#accountId, [
      ...(this.#deps.isUserEdit === false
        ? []
        : edited.map((row) => toEvent('recording.edited', row))),
      ...this.#erased.map(({ row }) => toEvent('recording.deleted', row)),
    ]);
  }

  /**
   * Deletes all voices if the batch turned them off, and records answered proposals. Refreshes the proposals after
   * either of these, or after a permanent deletion.
   */
  async #writeVoices(): Promise<void> {
    const trx = this.#trx;
    if (this.#forgetsVoices) await deleteAllVoices(trx, this.#accountId);
    if (this.#answered.length > 0) await markAnswered(trx, this.#answered);
    if (this.#forgetsVoices || this.#answered.length > 0 || this.#erased.length > 0) {
      await refreshProposals(trx, this.#accountId, () => this.nextRevision());
    }
  }
}

const settingKey = ({ group_name, config_key }: Setting) =>
  JSON.stringify([group_name, config_key]);

import type { Setting } from '@linnet/contract';
import type { Edit, EditableFields, ParagraphChange } from '@linnet/contract/operations';
import { registerOf, registersOf } from '@linnet/contract/operations';
import { storageSetting } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { NewRow, Row, Transaction } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { freeAudio } from '../recording/free-audio.ts';
import type { Settings } from '../setting/settings.ts';
import { changed, readStoredSettings, settingsOf, writeSettings } from '../setting/settings.ts';
import { activeStatuses } from '../task/active-tasks.ts';
import { cancelTasksOf } from '../task/cancel.ts';
import type { Written } from './conflict.ts';
import type { EraseParts } from './erase.ts';
import { eraseRecordings, leaveTombstones } from './erase.ts';

type Paragraph = Row<'paragraphs'> & { readonly recording_id: string };
type StoredSetting = Awaited<ReturnType<typeof readStoredSettings>>[number];

/** Columns of a recording that hold JSON. */
const jsonColumns = ['tags', 'place', 'speakers', 'markers', 'ticks', 'mind_map'] as const;

/**
 * The rows that a batch of operations reads and writes. A few statements read them before the first operation, each
 * operation changes them in memory, and a few statements write them after the last one, within a transaction that
 * has locked the account.
 */
export class Batch {
  readonly #trx: Transaction;
  readonly #parts: EraseParts;
  readonly #accountId: string;
  readonly #begun: number;
  #rev: number;
  readonly #recordings = new Map<string, Row<'recordings'>>();
  readonly #paragraphs = new Map<string, Paragraph>();
  readonly #deleted = new Set<string>();
  /** Ids of the recordings with a running transcription. */
  readonly #running = new Set<string>();
  readonly #last = new Map<string, Written>();
  /** Stored settings, by group and key. */
  readonly #stored = new Map<string, StoredSetting>();
  #present: Settings = settingsOf([]);

  readonly #touchedRecordings = new Set<string>();
  readonly #touchedParagraphs = new Set<string>();
  readonly #touchedSettings = new Map<string, StoredSetting>();
  readonly #erased: { row: Row<'recordings'>; rev: number }[] = [];
  readonly #tombstones: { id?: string; client_flag: string; rev: number }[] = [];
  readonly #operations: NewRow<'operations'>[] = [];
  #storageRev: number | null = null;

  private constructor(trx: Transaction, parts: EraseParts, accountId: string, rev: number) {
    this.#trx = trx;
    this.#parts = parts;
    this.#accountId = accountId;
    this.#begun = rev;
    this.#rev = rev;
  }

  /** @param rev the account's revision, read under its lock */
  static async read(
    trx: Transaction,
    parts: EraseParts,
    accountId: string,
    edits: readonly Edit[],
    rev: number,
  ): Promise<Batch> {
    const batch = new Batch(trx, parts, accountId, rev);
    await batch.#read(edits);
    return batch;
  }

  /** The account's latest revision, including those of this batch. */
  get rev(): number {
    return this.#rev;
  }

  /** Takes the account's next revision. */
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

  /** A paragraph of any task of a recording. */
  paragraph(recordingId: string, id: string): Row<'paragraphs'> | undefined {
    const found = this.#paragraphs.get(id.toLowerCase());
    return found?.recording_id === recordingId ? found : undefined;
  }

  /** The account's current settings, including defaults. */
  get settings(): Settings {
    return this.#present;
  }

  /** The operation that wrote a register's current value; null when there is none. */
  last(register: string): Written | null {
    return this.#last.get(register) ?? null;
  }

  patchRecording(row: Row<'recordings'>, change: Partial<EditableFields>, rev: number): void {
    Object.assign(row, change, { rev });
    if (change.is_del !== undefined) row.binned_at = change.is_del === 1 ? this.#parts.now() : null;
    this.#touchedRecordings.add(row.client_flag);
  }

  patchParagraph(row: Row<'paragraphs'>, change: ParagraphChange, rev: number): void {
    if ('content' in change) row.original ??= row.content;
    Object.assign(row, change, { rev });
    this.#touchedParagraphs.add(row.id);
  }

  /** Cancels a recording's running tasks, immediately. */
  async cancelTasks({ id }: Row<'recordings'>, rev: number): Promise<void> {
    if (!this.#running.delete(id)) return;
    await cancelTasksOf(this.#trx, this.#parts, id, rev);
  }

  erase(row: Row<'recordings'>, rev: number): void {
    this.#erased.push({ row, rev });
    this.#recordings.delete(row.client_flag);
    this.#touchedRecordings.delete(row.client_flag);
    this.#bury({ id: row.id, client_flag: row.client_flag, rev });
  }

  /** Marks an identity without a recording as deleted. */
  eraseUnknown(clientFlag: string, rev: number): void {
    this.#bury({ client_flag: clientFlag, rev });
  }

  setSetting(setting: Setting, rev: number): void {
    const { group_name, config_key, config_value } = setting;
    const name = nameOf(setting);
    const before = this.#touchedSettings.get(name) ?? this.#stored.get(name);
    this.#present = changed(this.#present, setting);
    const isSame = before?.config_value === config_value;
    const isDefault = !before && settingsOf([])[group_name]?.[config_key] === config_value;
    this.#touchedSettings.set(name, {
      group_name,
      config_key,
      config_value,
      since: isSame ? before.since : isDefault ? 0 : rev,
      changed_at: isSame ? before.changed_at : this.#parts.now(),
      rev,
    });
    // Includes a change of the phones' storage: the server's copies depend on theirs.
    if (group_name === storageSetting.group) this.#storageRev = rev;
  }

  /** Records the outcome of an operation. */
  record(operation: NewRow<'operations'>, written: Written | null): void {
    this.#operations.push(operation);
    if (written) this.#last.set(operation.register, written);
  }

  async write(): Promise<void> {
    const trx = this.#trx;
    await this.#writeRecordings();
    await this.#writeParagraphs();
    const settings = [...this.#touchedSettings.values()];
    if (settings.length > 0) await writeSettings(trx, this.#accountId, settings);
    if (this.#erased.length > 0) {
      await eraseRecordings(trx, this.#parts, this.#accountId, this.#erased, this.#running);
    }
    if (this.#tombstones.length > 0) {
      await leaveTombstones(trx, this.#accountId, this.#tombstones, this.#parts.now());
    }
    if (this.#operations.length > 0) await this.#writeOperations();
    if (this.#rev > this.#begun) {
      await trx
        .updateTable('accounts')
        .set({ rev: this.#rev })
        .where('id', '=', this.#accountId)
        .execute();
    }
    if (this.#storageRev !== null) {
      await freeAudio(trx, this.#parts.queue, this.#accountId, {
        rev: this.#storageRev,
        now: this.#parts.now(),
      });
    }
  }

  #bury(tombstone: { id?: string; client_flag: string; rev: number }): void {
    this.#tombstones.push(tombstone);
    this.#deleted.add(tombstone.client_flag);
  }

  /** The operations, without the values of those on permanently deleted recordings. */
  #withoutErased(): NewRow<'operations'>[] {
    const prefixes = this.#erased.map(({ row }) => registersOf(row.client_flag));
    return this.#operations.map((operation) =>
      prefixes.some((prefix) => operation.register.startsWith(prefix))
        ? { ...operation, value: null }
        : operation,
    );
  }

  async #read(edits: readonly Edit[]): Promise<void> {
    const trx = this.#trx;
    const ofRecordings = edits.flatMap((edit) => (edit.type === 'setting.set' ? [] : [edit]));
    const flags = [...new Set(ofRecordings.map(({ recording }) => recording))];
    if (ofRecordings.length < edits.length) {
      const stored = await readStoredSettings(trx, this.#accountId);
      for (const setting of stored) this.#stored.set(nameOf(setting), setting);
      this.#present = settingsOf(stored);
    }
    await this.#readLast([...new Set(edits.map(registerOf))]);
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
    if (ofRecordings.some(({ type }) => /\.(bin|delete)$/.test(type))) {
      const running = await trx
        .selectFrom('tasks')
        .select('recording_id')
        .where('recording_id', '=', sql<string>`any(${rows.map(({ id }) => id)}::uuid[])`)
        .where('status', 'in', activeStatuses)
        .execute();
      for (const { recording_id } of running) this.#running.add(recording_id);
    }
    const ids = ofRecordings.flatMap((edit) =>
      'paragraph' in edit && isId(edit.paragraph) ? [edit.paragraph] : [],
    );
    if (ids.length > 0) await this.#readParagraphs([...new Set(ids)]);
  }

  async #readParagraphs(ids: readonly string[]): Promise<void> {
    const rows = await this.#trx
      .selectFrom('paragraphs')
      .innerJoin('tasks', 'tasks.id', 'paragraphs.task_id')
      .selectAll('paragraphs')
      .select('tasks.recording_id')
      .where('paragraphs.account_id', '=', this.#accountId)
      .where('paragraphs.id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute();
    for (const row of rows) this.#paragraphs.set(row.id, row);
  }

  async #readLast(registers: readonly string[]): Promise<void> {
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
    for (const { register, ...written } of rows) this.#last.set(register, written);
  }

  /** Inserts all rows as one JSON parameter: building a statement of thousands of parameters blocks the process. */
  async #writeOperations(): Promise<void> {
    const values = JSON.stringify(this.#withoutErased());
    await sql`
      insert into operations (account_id, op_id, register, type, base_rev, at, own_at, value, created_at, rev,
        outcome, code)
      select account_id, op_id, register, type, base_rev, at, own_at, value::jsonb, created_at, rev, outcome, code
      from jsonb_to_recordset(${values}::jsonb) as v(account_id uuid, op_id uuid, register text, type text,
        base_rev bigint, at timestamptz, own_at timestamptz, value text, created_at timestamptz, rev bigint,
        outcome text, code integer)`.execute(this.#trx);
  }

  async #writeRecordings(): Promise<void> {
    const rows = [...this.#touchedRecordings].flatMap((flag) => this.#recordings.get(flag) ?? []);
    if (rows.length === 0) return;
    const values = rows.map(({ id, name, is_del, binned_at, rev, ...row }) => ({
      ...{ id, name, is_del, binned_at, rev },
      ...Object.fromEntries(jsonColumns.map((column) => [column, row[column]])),
    }));
    await sql`
      update recordings set name = v.name, tags = v.tags, place = v.place, speakers = v.speakers,
        markers = v.markers, ticks = v.ticks, mind_map = v.mind_map, is_del = v.is_del,
        binned_at = v.binned_at, rev = v.rev, updated_at = ${this.#parts.now()}
      from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v(id uuid, name text, tags jsonb,
        place jsonb, speakers jsonb, markers jsonb, ticks jsonb, mind_map jsonb, is_del smallint,
        binned_at timestamptz, rev bigint)
      where recordings.id = v.id`.execute(this.#trx);
  }

  async #writeParagraphs(): Promise<void> {
    const rows = [...this.#touchedParagraphs].flatMap((id) => this.#paragraphs.get(id) ?? []);
    if (rows.length === 0) return;
    const values = rows.map(({ id, task_id, content, original, speaker, is_tag, rev }) => {
      return { id, task_id, content, original, speaker, is_tag, rev };
    });
    await sql`
      update paragraphs set content = v.content, original = v.original, speaker = v.speaker,
        is_tag = v.is_tag, rev = v.rev
      from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v(id uuid, task_id uuid,
        content text, original text, speaker text, is_tag smallint, rev bigint)
      where paragraphs.id = v.id and paragraphs.task_id = v.task_id`.execute(this.#trx);
  }
}

const nameOf = ({ group_name, config_key }: Setting) => JSON.stringify([group_name, config_key]);

import type { Operation, OperationOutcome, Paragraph } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import {
  type Edit,
  editedRecording,
  editRecording,
  exceededByChange,
  exceededByEdit,
  isParagraphEdit,
  isRecordingEdit,
} from '@linnet/contract/operations';
import {
  applyToParagraph,
  applyToRecord,
  type ChangeStore,
  EditExceeds,
  isDel,
  MergeRefused,
  toOperation,
} from '@linnet/sync';
import { applyChanges } from './apply-changes.ts';
import { isSendable, readOperations } from './applying/pending.ts';
import { json, number, text, textOrNull } from './columns.ts';
import { type Commits, emptyTransaction } from './commits.ts';
import type { SqlDatabase, Statement } from './database.ts';
import { emptyFields, readEditable, selectEditable, writeEditable } from './editable.ts';
import { insertImported } from './imported.ts';
import { discardKeptOriginalsStatement, storeOriginalStatement } from './originals.ts';
import {
  accountParagraphs,
  nowSql,
  placeholders,
  removeStatements,
  sinceSql,
} from './statements.ts';

/** Creates a change store backed by SQLite. */
export function createChangeStore(
  database: SqlDatabase,
  commits: Commits,
  now: () => string,
): ChangeStore {
  async function readCursor(uid: string): Promise<{ cursor: string | undefined; rev: number }> {
    const [row] = await database.query('select cursor, rev from cursor where uid = ?', [uid]);
    return row ? { cursor: text(row.cursor), rev: number(row.rev) } : { cursor: undefined, rev: 0 };
  }

  /**
   * Returns the time for a new edit. It's later than every queued edit's time, even if the clock was set back, because
   * the server orders conflicting edits by time.
   */
  async function createEditTime(uid: string): Promise<string> {
    const [row] = await database.query(
      `select json_extract(body, '$.at') as at from operation where uid = ? order by seq desc limit 1`,
      [uid],
    );
    const at = now();
    const last = Date.parse(row ? text(row.at) : '');
    return last >= Date.parse(at) ? new Date(last + 1).toISOString() : at;
  }

  /** Returns the statements that apply an operation, or null if its target doesn't exist. */
  async function createStatements(uid: string, op: Operation): Promise<Statement[] | null> {
    if (op.type === 'setting.set') {
      const { group_name, config_key, config_value } = op;
      return [
        [
          `insert into setting (uid, group_name, config_key, config_value, since)
           values (?, ?, ?, ?, ${nowSql})
           on conflict (uid, group_name, config_key) do update set
             since = ${sinceSql}, config_value = excluded.config_value`,
          [uid, group_name, config_key, config_value],
        ],
      ];
    }
    const id = op.recording;
    const [record] = await database.query(
      `select ${selectEditable}, results_task from record where id = ? and uid = ?`,
      [id, uid],
    );
    if (!record) return null;
    if (op.type === 'recording.delete') return removeStatements(id, uid, op.at);
    if (isRecordingEdit(op)) {
      const { shown, base } = readEditable(record);
      const exceeded = exceededByChange(shown, editRecording(shown, op));
      if (exceeded !== null) throw new EditExceeds(exceeded);
      const changed = { shown: applyToRecord(shown, op), base: base ?? shown };
      return [writeEditable(id, changed, op.at)];
    }
    if (!isParagraphEdit(op)) return null;
    // This form of the condition lets SQLite use the index paragraph_by_record. One transaction may change thousands of
    // paragraphs.
    const keys = [id, op.paragraph, textOrNull(record.results_task)];
    const where = 'where record_id = ? and id = ? and task_id = ?';
    const [row] = await database.query(`select body from paragraph ${where}`, keys);
    if (!row) return null;
    const paragraph = json<Paragraph>(row.body);
    const changed = JSON.stringify(applyToParagraph(paragraph, op));
    return [
      ...(op.type === 'paragraph.edit' ? [storeOriginalStatement(where, keys)] : []),
      [`update paragraph set base = coalesce(base, body), body = ? ${where}`, [changed, ...keys]],
      ['update record set update_date = ? where id = ?', [op.at, id]],
    ];
  }

  return {
    async edit(uid, edit) {
      checkEdit(edit);
      let isApplied = false;
      await commits.write(async () => {
        const op = toOperation(edit, (await readCursor(uid)).rev, await createEditTime(uid));
        const statements = await createStatements(uid, op);
        if (!statements) return emptyTransaction;
        isApplied = true;
        return {
          statements: [...statements, queueOperation(uid, op)],
          records: editedRecordings([op]),
        };
      });
      return isApplied;
    },

    async editAll(uid, edits) {
      for (const edit of edits) checkEdit(edit);
      let appliedCount = 0;
      await commits.write(async () => {
        const { rev } = await readCursor(uid);
        const editTime = await createEditTime(uid);
        const statements: Statement[] = [];
        const ops: Operation[] = [];
        for (const edit of edits) {
          const op = toOperation(edit, rev, editTime);
          const editStatements = await createStatements(uid, op);
          if (!editStatements) continue;
          ops.push(op);
          statements.push(...editStatements, queueOperation(uid, op));
        }
        appliedCount = ops.length;
        return { statements, records: editedRecordings(ops) };
      });
      return appliedCount;
    },

    merge: (uid, merged, partIds, createEdits) =>
      commits.write(async () => {
        const { rev } = await readCursor(uid);
        const editTime = await createEditTime(uid);
        const rows = await database.query(
          `select id, ${selectEditable} from record where uid = ? and is_del = ${isDel.kept}
             and id in (${placeholders(partIds.length)})`,
          [uid, ...partIds],
        );
        const byId = new Map(rows.map((row) => [text(row.id), readEditable(row).shown]));
        const parts = partIds.flatMap((id) => byId.get(id) ?? []);
        if (parts.length < partIds.length) throw new MergeRefused({ code: 'recordings_missing' });
        const ops = createEdits(parts).map((edit) => {
          checkEdit(edit);
          return toOperation(edit, rev, editTime);
        });
        const base = {
          ...emptyFields,
          title: merged.title,
          create_date: merged.createDate,
        };
        const shown = ops.filter(isRecordingEdit).reduce((fields, op) => {
          const exceeded = exceededByChange(fields, editRecording(fields, op));
          if (exceeded !== null) throw new EditExceeds(exceeded);
          return applyToRecord(fields, op);
        }, base);
        const bins = partIds.map((recording) =>
          toOperation({ type: 'recording.bin', recording }, rev, editTime),
        );
        const binStatements = await Promise.all(bins.map((op) => createStatements(uid, op)));
        const inParts = `in (${placeholders(partIds.length)})`;
        return {
          statements: [
            ...insertImported(merged),
            writeEditable(merged.id, { shown, base }, editTime),
            ...binStatements.flatMap((statements) => statements ?? []),
            ...[...ops, ...bins].map((op) => queueOperation(uid, op)),
            [`update record set continues = null where id ${inParts}`, partIds],
            [`update record set continues = ? where continues ${inParts}`, [merged.id, ...partIds]],
          ],
          records: [merged.id, ...partIds],
        };
      }),

    async pending(uid) {
      const rows = await database.query(
        `select body from operation where uid = ? and ${isSendable}
         order by seq limit ${limits.sync.operations}`,
        [uid],
      );
      return rows.map(({ body }) => json<Operation>(body));
    },

    async pendingCount(uid) {
      const [row] = await database.query(
        `select count(*) as count from operation where uid = ? and ${isSendable}`,
        [uid],
      );
      return Number(row?.count ?? 0);
    },

    acknowledge: (uid, outcomes) =>
      commits.write(() => ({
        statements: outcomes.flatMap((outcome): Statement[] => [
          ...(isListed(outcome) ? [storeRejectedEdit(uid, outcome)] : []),
          ['update operation set answered = 1 where uid = ? and op_id = ?', [uid, outcome.op_id]],
        ]),
        records: [],
      })),

    async rejectedEdits(uid) {
      const rows = await database.query(
        'select body, code, msg from refused_edit where uid = ? order by seq',
        [uid],
      );
      return rows.map(({ body, code, msg }) => ({
        op: json<Operation>(body),
        code: number(code),
        msg: text(msg),
      }));
    },

    dismiss: (uid, opIds) =>
      commits.write(() => ({
        statements: opIds.map((id) => [
          'delete from refused_edit where uid = ? and op_id = ?',
          [uid, id],
        ]),
        records: [],
      })),

    cursor: async (uid) => (await readCursor(uid)).cursor,

    applyPage: (uid, cursor, page) =>
      commits.write(async () => {
        const storedCursor = await readCursor(uid);
        if (storedCursor.cursor !== cursor) return emptyTransaction;
        // A row that changes during the pull moves to a later page, so all changes up to the latest revision have been
        // received only after the last page.
        const rev = page.more ? storedCursor.rev : (page.changes.at(-1)?.rev ?? storedCursor.rev);
        const settled = page.more
          ? []
          : (await readOperations(database, uid)).filter(({ answered }) => answered);
        const applied = await applyChanges(
          database,
          uid,
          page.changes,
          settled.map(({ op }) => op),
        );
        const isUnchanged = page.cursor === storedCursor.cursor && rev === storedCursor.rev;
        if (isUnchanged) return { ...applied, hasMore: page.more };
        const statements: Statement[] = [
          ...applied.statements,
          ...(page.more ? [] : [discardKeptOriginalsStatement(uid)]),
          [
            `insert into cursor (uid, cursor, rev) values (?, ?, ?)
             on conflict (uid) do update set cursor = excluded.cursor, rev = excluded.rev`,
            [uid, page.cursor, rev],
          ],
        ];
        return { statements, records: applied.records, hasMore: page.more };
      }),

    restart: (uid) =>
      commits.write(() => ({
        // Records don't change until the server sends them again.
        records: [],
        statements: [
          ['delete from cursor where uid = ?', [uid]],
          // The server may continue from an earlier revision, so accept rows with any revision.
          [`update paragraph set rev = 0 where ${accountParagraphs}`, [uid, uid]],
          ['update record set rev = 0 where uid = ?', [uid]],
          // The base revisions of pending operations belong to the previous numbering.
          [
            `update operation set body = json_set(body, '$.base_rev', 0) where uid = ? and answered = 0`,
            [uid],
          ],
        ],
      })),

    async orphanedAudio(uid) {
      const rows = await database.query('select id from tombstone where uid = ? and audio = 1', [
        uid,
      ]);
      return rows.map(({ id }) => text(id));
    },

    markAudioRemoved: (id) =>
      commits.write(() => ({
        statements: [['update tombstone set audio = 0 where id = ?', [id]]],
        records: [],
      })),

    async settings(uid) {
      const rows = await database.query(
        `select group_name, config_key, config_value, since from setting where uid = ?
         order by group_name, config_key`,
        [uid],
      );
      return rows.map(({ group_name, config_key, config_value, since }) => ({
        group_name: text(group_name),
        config_key: text(config_key),
        config_value: text(config_value),
        since: text(since) || null,
      }));
    },

    subscribe: (listener) => commits.subscribe(listener),
  };
}

/**
 * True if a rejected edit should be listed. Edits to a recording that was permanently deleted elsewhere aren't listed,
 * because the user can't do anything about them.
 */
function isListed({ outcome, code }: OperationOutcome): boolean {
  return outcome === 'refused' && code !== codes.recordingDeleted;
}

/** Returns the statement that stores a rejected operation until the user dismisses it. */
function storeRejectedEdit(uid: string, { op_id, code, msg }: OperationOutcome): Statement {
  return [
    `insert into refused_edit (op_id, uid, body, code, msg, seq)
     select op_id, uid, body, ?, ?, seq from operation where uid = ? and op_id = ? and answered = 0
     on conflict (op_id) do nothing`,
    [code, msg, uid, op_id],
  ];
}

/** Checks the limits that don't depend on an edit's target. @throws EditExceeds */
function checkEdit(edit: Edit): void {
  const limit = exceededByEdit(edit);
  if (limit !== null) throw new EditExceeds(limit);
}

/** Returns the IDs of the recordings that operations edit. */
function editedRecordings(ops: readonly Operation[]): string[] {
  return ops.map(editedRecording).filter((id) => id !== null);
}

/** Returns the statement that adds an operation to the queue. */
function queueOperation(uid: string, op: Operation): Statement {
  return [
    'insert into operation (op_id, uid, record_id, body) values (?, ?, ?, ?)',
    [op.op_id, uid, editedRecording(op), JSON.stringify(op)],
  ];
}

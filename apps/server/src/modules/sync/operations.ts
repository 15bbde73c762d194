import { setImmediate } from 'node:timers/promises';
import type { CallData, Operation, OperationOutcome } from '@linnet/contract';
import type { CodeName } from '@linnet/contract/codes';
import { codeName, codes } from '@linnet/contract/codes';
import type { Edit, ParagraphEdit, RecordingEdit, SettingEdit } from '@linnet/contract/operations';
import {
  editParagraph,
  editRecording,
  exceededByChange,
  registerOf,
} from '@linnet/contract/operations';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { lockAccount } from '../../db/database.ts';
import { CallError, messages } from '../../http/failure.ts';
import { refusalOf } from '../setting/settings.ts';
import { Batch } from './batch.ts';
import { judge } from './conflict.ts';
import type { EraseParts } from './erase.ts';

/** Applies all edits of an account: those that phones send, and those of single calls. */
export interface Operations {
  /** Applies each operation exactly once, in order, in one transaction. A refusal does not affect the others. */
  apply(accountId: string, ops: readonly Operation[]): Promise<CallData<'sync/apply'>>;
  /**
   * Applies the edits of a call as operations made now, on top of the latest revision. All or none.
   * @throws CallError with the code of the first one refused
   */
  perform(trx: Transaction, accountId: string, edits: readonly Edit[]): Promise<void>;
}

export interface OperationsParts extends EraseParts {
  readonly db: Database;
}

/** The effect of an edit, before conflict resolution. */
type Plan =
  | { readonly refusal: CodeName }
  | { readonly write: (rev: number) => Promise<void> | void }
  /** Already the case. */
  | 'done';

type Ended = Pick<Row<'operations'>, 'rev' | 'outcome' | 'code'>;

/** Operations applied without a break: about a millisecond. */
const atOnce = 50;

export function createOperations(parts: OperationsParts): Operations {
  const { db, now } = parts;

  return {
    apply: (accountId, ops) =>
      db.transaction().execute(async (trx) => {
        // With the account locked, the second of two requests with the same operation finds the first one's outcome.
        const begun = await lockAccount(trx, accountId);
        const ended = await endedBefore(trx, accountId, ops);
        const fresh = ops.filter(({ op_id: id }) => !ended.has(id.toLowerCase()));
        const batch = await Batch.read(trx, parts, accountId, fresh, begun);
        const results: OperationOutcome[] = [];
        for (const [index, op] of ops.entries()) {
          // Lets other requests be answered.
          if (index % atOnce === atOnce - 1) await setImmediate();
          const id = op.op_id.toLowerCase();
          // A later revision than the current one was seen before a restore, so it counts as none.
          const base_rev = op.base_rev > begun ? 0 : op.base_rev;
          const end = ended.get(id) ?? (await applyOne(batch, accountId, { ...op, base_rev }));
          ended.set(id, end);
          const msg = messages[codeName(end.code) ?? 'internal'];
          results.push({ op_id: op.op_id, ...end, msg });
        }
        await batch.write();
        return { results, rev: batch.rev };
      }),

    async perform(trx, accountId, edits) {
      const begun = await lockAccount(trx, accountId);
      const batch = await Batch.read(trx, parts, accountId, edits, begun);
      const at = now().toISOString();
      for (const edit of edits) {
        const op: Operation = { ...edit, op_id: uuidv7(), base_rev: batch.rev, at };
        const { code } = await applyOne(batch, accountId, op);
        if (code !== codes.ok) throw new CallError(codeName(code) ?? 'internal');
      }
      await batch.write();
    },
  };

  /** Applies a new operation and records its outcome. */
  async function applyOne(batch: Batch, accountId: string, op: Operation): Promise<Ended> {
    const register = registerOf(op);
    const sent = { base_rev: op.base_rev, at: new Date(op.at) };
    const { replaces, at, own_at } = judge(batch.last(register), sent, now());
    const end = await endOf(planOf(batch, op));
    const { op_id, base_rev, at: _, type, ...value } = op;
    const kept = end.outcome === 'refused' || op.type === 'recording.delete' ? null : value;
    batch.record(
      {
        account_id: accountId,
        op_id,
        register,
        type,
        base_rev,
        at,
        own_at,
        value: kept === null ? null : JSON.stringify(kept),
        created_at: now(),
        ...end,
      },
      end.outcome === 'applied' ? { rev: end.rev, base_rev, at, own_at } : null,
    );
    return end;

    async function endOf(plan: Plan): Promise<Ended> {
      if (plan === 'done') return { outcome: 'applied', rev: batch.rev, code: codes.ok };
      if ('refusal' in plan) {
        return { outcome: 'refused', rev: batch.rev, code: codes[plan.refusal] };
      }
      // A permanent deletion always wins.
      if (!replaces && op.type !== 'recording.delete') {
        return { outcome: 'superseded', rev: batch.rev, code: codes.ok };
      }
      const rev = batch.nextRevision();
      await plan.write(rev);
      return { outcome: 'applied', rev, code: codes.ok };
    }
  }

  function planOf(batch: Batch, edit: Edit): Plan {
    if (edit.type === 'setting.set') return planSetting(batch, edit);
    const row = batch.recording(edit.recording);
    if (row === undefined) {
      const deleted = batch.isDeleted(edit.recording);
      if (edit.type !== 'recording.delete') {
        return { refusal: deleted ? 'recordingDeleted' : 'notFound' };
      }
      if (deleted) return 'done';
      return { write: (rev) => batch.eraseUnknown(edit.recording, rev) };
    }
    switch (edit.type) {
      case 'recording.delete':
        return { write: (rev) => batch.erase(row, rev) };
      case 'paragraph.edit':
      case 'paragraph.mark':
      case 'paragraph.speaker':
        return planParagraph(batch, row, edit);
      default:
        return planRecording(batch, row, edit);
    }
  }

  function planRecording(batch: Batch, row: Row<'recordings'>, edit: RecordingEdit): Plan {
    const change = editRecording(row, edit);
    if (exceededByChange(row, change) !== null) return { refusal: 'recordingFull' };
    return {
      async write(rev) {
        if (edit.type === 'recording.bin') await batch.cancelTasks(row, rev);
        batch.patchRecording(row, change, rev);
      },
    };
  }

  function planParagraph(batch: Batch, row: Row<'recordings'>, edit: ParagraphEdit): Plan {
    const paragraph = batch.paragraph(row.id, edit.paragraph);
    if (paragraph === undefined) return { refusal: 'notFound' };
    return {
      write(rev) {
        batch.patchParagraph(paragraph, editParagraph(edit), rev);
        batch.patchRecording(row, {}, rev);
      },
    };
  }

  function planSetting(batch: Batch, edit: SettingEdit): Plan {
    const refusal = refusalOf(batch.settings, edit);
    if (refusal !== null) return { refusal };
    return { write: (rev) => batch.setSetting(edit, rev) };
  }
}

/** The outcomes of the operations that were applied or refused before, by id. */
async function endedBefore(
  trx: Transaction,
  accountId: string,
  ops: readonly Operation[],
): Promise<Map<string, Ended>> {
  const rows = await trx
    .selectFrom('operations')
    .select(['op_id', 'rev', 'outcome', 'code'])
    .where('account_id', '=', accountId)
    .where('op_id', '=', sql<string>`any(${ops.map(({ op_id: id }) => id)}::uuid[])`)
    .execute();
  return new Map(rows.map(({ op_id: id, ...ended }) => [id, ended]));
}

import { setImmediate } from 'node:timers/promises';
import type { CallData, Operation, OperationOutcome } from '@linnet/contract';
import type { CodeName } from '@linnet/contract/codes';
import { codeName, codes } from '@linnet/contract/codes';
import { toSpokenLanguage } from '@linnet/contract/languages';
import type { Edit, ParagraphEdit, RecordingEdit, SettingEdit } from '@linnet/contract/operations';
import {
  editParagraph,
  editRecording,
  exceededByChange,
  getRegister,
} from '@linnet/contract/operations';
import { toVocabularyEntry } from '@linnet/contract/vocabulary';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { lockAccount } from '../../db/database.ts';
import { CallError, defaultMessages } from '../../http/failure.ts';
import { validateSetting } from '../setting/settings.ts';
import { Batch, type BatchDependencies } from './batch.ts';
import { carryLateChanges } from './carry-over/late-changes.ts';
import { adaptLateOperations, listLateChanges } from './carry-over/late-operations.ts';
import { resolveConflict } from './conflict.ts';

/**
 * Applies edits to an account's recordings and settings. Phones send their edits as operations. API calls that change
 * recordings or settings are converted to operations too.
 */
export interface Operations {
  /**
   * Applies operations in order, in one transaction. Idempotent: each operation is applied once, no matter how often it
   * is sent. A rejected operation doesn't affect the others.
   */
  apply(accountId: string, ops: readonly Operation[]): Promise<CallData<'sync/apply'>>;
  /**
   * Applies the server's own edits, such as the edits of an API call, as operations. By default, an edit counts as made
   * now by a writer that has seen the latest revision.
   * @throws CallError with the code of the first rejected edit; the caller must roll back the transaction
   */
  perform(trx: Transaction, accountId: string, edits: readonly TimedEdit[]): Promise<void>;
}

/** An edit, optionally with its time (default: now) and base revision (default: the latest). */
export type TimedEdit = Edit & { readonly at?: string; readonly base_rev?: number };

export interface OperationsDependencies extends BatchDependencies {
  readonly db: Database;
}

/** The effect of an edit, if it wins the conflict resolution. */
type Plan =
  | { readonly refusal: CodeName }
  | { readonly write: (rev: number) => Promise<void> | void }
  /** The edit has no effect, because the field already has the requested value. */
  | 'done';

type RecordedOutcome = Pick<Row<'operations'>, 'rev' | 'outcome' | 'code'>;

/** Number of operations to process (about a millisecond of work) before yielding to the event loop. */
const opsPerTick = 50;

export function createOperations(deps: OperationsDependencies): Operations {
  const { db, now } = deps;

  return {
    apply: (accountId, ops) =>
      db.transaction().execute(async (trx) => {
        // If two requests contain the same operation, the lock makes the second wait for the outcome of the first.
        const startRev = await lockAccount(trx, accountId);
        const outcomes = await findRecordedOutcomes(trx, accountId, ops);
        const newOps = ops
          .filter(({ op_id: id }) => !outcomes.has(id.toLowerCase()))
          // A revision later than the current revision was seen before a backup was restored, and no longer exists.
          .map((op) => (op.base_rev > startRev ? { ...op, base_rev: 0 } : op));
        const adapted = await adaptLateOperations(trx, accountId, newOps, startRev);
        const adaptedById = new Map(adapted.ops.map((op) => [op.op_id, op]));
        const batch = await Batch.read(trx, deps, accountId, adapted.ops, startRev);
        const results: OperationOutcome[] = [];
        for (const [index, sentOp] of ops.entries()) {
          const op = adaptedById.get(sentOp.op_id) ?? sentOp;
          // Yield to the event loop, so other requests can run.
          if (index % opsPerTick === opsPerTick - 1) await setImmediate();
          const id = op.op_id.toLowerCase();
          const result = outcomes.get(id) ?? (await applyOperation(batch, accountId, op));
          outcomes.set(id, result);
          const msg = defaultMessages[codeName(result.code) ?? 'internal'];
          results.push({ op_id: op.op_id, ...result, msg });
        }
        await batch.write();
        const isCarried = await carryLateChanges(trx, perform, batch.lateChanges());
        const isListed = await listLateChanges(trx, accountId, adapted.unplaced);
        return {
          results,
          rev: isCarried || isListed ? await lockAccount(trx, accountId) : batch.rev,
        };
      }),

    perform,
  };

  async function perform(
    trx: Transaction,
    accountId: string,
    edits: readonly TimedEdit[],
  ): Promise<void> {
    if (edits.length === 0) return;
    const startRev = await lockAccount(trx, accountId);
    const batch = await Batch.read(trx, deps, accountId, edits, startRev);
    const at = now().toISOString();
    for (const edit of edits) {
      const op: Operation = { base_rev: batch.rev, at, ...edit, op_id: uuidv7() };
      const { code } = await applyOperation(batch, accountId, op);
      if (code !== codes.ok) throw new CallError(codeName(code) ?? 'internal');
    }
    await batch.write();
    await carryLateChanges(trx, perform, batch.lateChanges());
  }

  /** Applies an operation received for the first time, and records its outcome. */
  async function applyOperation(
    batch: Batch,
    accountId: string,
    op: Operation,
  ): Promise<RecordedOutcome> {
    const register = getRegister(op);
    const sentOp = { base_rev: op.base_rev, at: new Date(op.at) };
    const { replaces, at, own_at } = resolveConflict(batch.lastWrite(register), sentOp, now());
    const result = await execute(planEdit(batch, op));
    const { op_id, base_rev, at: _, type, ...value } = op;
    const storedValue =
      result.outcome === 'refused' || op.type === 'recording.delete' ? null : value;
    batch.record(
      {
        account_id: accountId,
        op_id,
        register,
        type,
        base_rev,
        at,
        own_at,
        value: storedValue === null ? null : JSON.stringify(storedValue),
        created_at: now(),
        ...result,
      },
      result.outcome === 'applied' ? { rev: result.rev, base_rev, at, own_at } : null,
    );
    return result;

    async function execute(plan: Plan): Promise<RecordedOutcome> {
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

  function planEdit(batch: Batch, edit: Edit): Plan {
    if (edit.type === 'setting.set') return planSetting(batch, edit);
    const row = batch.recording(edit.recording);
    if (row === undefined) {
      const isDeleted = batch.isDeleted(edit.recording);
      if (edit.type !== 'recording.delete') {
        return { refusal: isDeleted ? 'recordingDeleted' : 'notFound' };
      }
      if (isDeleted) return 'done';
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
    if (edit.type === 'recording.language' && edit.language !== null) {
      if (toSpokenLanguage(edit.language) === undefined) return { refusal: 'languageUnavailable' };
    }
    if (edit.type === 'recording.word' && toVocabularyEntry(edit.word) === null) {
      return { refusal: 'badRequest' };
    }
    const change = editRecording(row, edit);
    if (exceededByChange(row, change) !== null) return { refusal: 'recordingFull' };
    return {
      async write(rev) {
        if (edit.type === 'recording.bin') await batch.cancelTasks(row, rev);
        // Restore a recording that was protected on a device that was offline when a rule moved it.
        const isRestored = edit.type === 'recording.protect' && edit.on && row.binned_by !== null;
        batch.patchRecording(row, isRestored ? { ...change, is_del: 0 } : change, rev);
        if (edit.type === 'recording.speaker' || edit.type === 'recording.dismissProposal') {
          batch.answerSpeaker(row, edit.speaker);
        }
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
    const refusal = validateSetting(batch.settings, edit);
    if (refusal !== null) return { refusal };
    return { write: (rev) => batch.setSetting(edit, rev) };
  }
}

/** Returns the outcomes of previously received operations, keyed by operation ID. */
async function findRecordedOutcomes(
  trx: Transaction,
  accountId: string,
  ops: readonly Operation[],
): Promise<Map<string, RecordedOutcome>> {
  const rows = await trx
    .selectFrom('operations')
    .select(['op_id', 'rev', 'outcome', 'code'])
    .where('account_id', '=', accountId)
    .where('op_id', '=', sql<string>`any(${ops.map(({ op_id: id }) => id)}::uuid[])`)
    .execute();
  return new Map(rows.map(({ op_id: id, ...outcome }) => [id, outcome]));
}

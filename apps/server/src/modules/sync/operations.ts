import { setImmediate } from 'node:timers/promises';
import type { CallData, OperationOutcome } from '@linnet/contract';
import type { CodeName } from '@linnet/contract/codes';
import { codeName, codes } from '@linnet/contract/codes';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { lockAccount } from '../../db/database.ts';
import { CallError, messages } from '../../http/failure.ts';
import { refusalOf } from '../setting/settings.ts';
import { Batch } from './batch.ts';
import { judge } from './conflict.ts';
import type { EraseParts } from './erase.ts';
import type { Act, CheckedOperation, ParagraphAct, RecordingAct, SettingAct } from './operation.ts';
import { registerOf } from './operation.ts';
import { patchParagraph, patchRecording } from './patches.ts';

/** Everything an owner changes goes through here, be it sent by a phone or asked for by a call. */
export interface Operations {
  /** Applies each operation exactly once, in order, in one transaction. A refused one fails no other. */
  apply(accountId: string, ops: readonly CheckedOperation[]): Promise<CallData<'sync/apply'>>;
  /**
   * Does what a call asks for: operations made now, by someone who has seen everything. All or none.
   * @throws CallError with the code of the first that is refused
   */
  perform(trx: Transaction, accountId: string, acts: readonly Act[]): Promise<void>;
}

export interface OperationsParts extends EraseParts {
  readonly db: Database;
}

/** What an act comes to, its conflicts apart: how it is written, or why it cannot be. */
type Plan =
  | { readonly refusal: CodeName }
  | { readonly write: (rev: number) => Promise<void> | void }
  /** It is as it should be already. */
  | 'done';

type Ended = Pick<Row<'operations'>, 'rev' | 'outcome' | 'code'>;

/** Operations applied without a break: about a millisecond. */
const atOnce = 50;

export function createOperations(parts: OperationsParts): Operations {
  const { db, now } = parts;

  return {
    apply: (accountId, ops) =>
      db.transaction().execute(async (trx) => {
        // Locks the account: of two requests with one operation the second finds the first one's.
        const begun = await lockAccount(trx, accountId);
        const ended = await endedBefore(trx, accountId, ops);
        const fresh = ops.filter(({ op_id: id }) => !ended.has(id.toLowerCase()));
        const batch = await Batch.read(trx, parts, accountId, fresh, begun);
        const results: OperationOutcome[] = [];
        for (const [index, op] of ops.entries()) {
          // Other requests are answered meanwhile.
          if (index % atOnce === atOnce - 1) await setImmediate();
          const id = op.op_id.toLowerCase();
          // Nobody saw a revision that is still to come: a phone of before a restore did not see these.
          const base_rev = op.base_rev > begun ? 0 : op.base_rev;
          const end = ended.get(id) ?? (await applyOne(batch, accountId, { ...op, base_rev }));
          ended.set(id, end);
          const msg = messages[codeName(end.code) ?? 'internal'];
          results.push({ op_id: op.op_id, ...end, msg });
        }
        await batch.write();
        return { results, rev: batch.rev };
      }),

    async perform(trx, accountId, acts) {
      const begun = await lockAccount(trx, accountId);
      const batch = await Batch.read(trx, parts, accountId, acts, begun);
      const at = now().toISOString();
      for (const act of acts) {
        const op: CheckedOperation = { ...act, op_id: uuidv7(), base_rev: batch.rev, at };
        const { code } = await applyOne(batch, accountId, op);
        if (code !== codes.ok) throw new CallError(codeName(code) ?? 'internal');
      }
      await batch.write();
    },
  };

  /** Applies an operation that never came before and keeps how it ended. */
  async function applyOne(batch: Batch, accountId: string, op: CheckedOperation): Promise<Ended> {
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
      // Nothing beats deleting for good.
      if (!replaces && op.type !== 'recording.delete') {
        return { outcome: 'superseded', rev: batch.rev, code: codes.ok };
      }
      const rev = batch.nextRevision();
      await plan.write(rev);
      return { outcome: 'applied', rev, code: codes.ok };
    }
  }

  function planOf(batch: Batch, act: Act): Plan {
    if (act.type === 'setting.set') return planSetting(batch, act);
    const row = batch.recording(act.recording);
    if (row === undefined) {
      const deleted = batch.isDeleted(act.recording);
      if (act.type !== 'recording.delete') {
        return { refusal: deleted ? 'recordingDeleted' : 'notFound' };
      }
      if (deleted) return 'done';
      return { write: (rev) => batch.eraseUnknown(act.recording, rev) };
    }
    switch (act.type) {
      case 'recording.delete':
        return { write: (rev) => batch.erase(row, rev) };
      case 'paragraph.edit':
      case 'paragraph.mark':
      case 'paragraph.speaker':
        return planParagraph(batch, row, act);
      default:
        return planRecording(batch, row, act);
    }
  }

  function planRecording(batch: Batch, row: Row<'recordings'>, act: RecordingAct): Plan {
    const patch = patchRecording(act, row, now());
    if ('refusal' in patch) return patch;
    return {
      async write(rev) {
        // Nobody waits for the transcript of what was thrown away.
        if (act.type === 'recording.bin') await batch.cancelTasks(row, rev);
        batch.patchRecording(row, patch.set, rev);
      },
    };
  }

  function planParagraph(batch: Batch, row: Row<'recordings'>, act: ParagraphAct): Plan {
    const paragraph = batch.paragraph(row.id, act.paragraph);
    if (paragraph === undefined) return { refusal: 'notFound' };
    const patch = patchParagraph(act, paragraph);
    if ('refusal' in patch) return patch;
    return {
      write(rev) {
        batch.patchParagraph(paragraph, patch.set, rev);
        batch.patchRecording(row, {}, rev);
      },
    };
  }

  function planSetting(batch: Batch, act: SettingAct): Plan {
    const refusal = refusalOf(batch.settings, act);
    if (refusal !== null) return { refusal };
    return { write: (rev) => batch.setSetting(act, rev) };
  }
}

/** How those of the operations ended that came before, by their id. */
async function endedBefore(
  trx: Transaction,
  accountId: string,
  ops: readonly CheckedOperation[],
): Promise<Map<string, Ended>> {
  const rows = await trx
    .selectFrom('operations')
    .select(['op_id', 'rev', 'outcome', 'code'])
    .where('account_id', '=', accountId)
    .where('op_id', '=', sql<string>`any(${ops.map(({ op_id: id }) => id)}::uuid[])`)
    .execute();
  return new Map(rows.map(({ op_id: id, ...ended }) => [id, ended]));
}

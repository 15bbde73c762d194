import type { CallData, OperationOutcome } from '@linnet/contract';
import type { CodeName } from '@linnet/contract/codes';
import { codeName, codes } from '@linnet/contract/codes';
import { storageSetting } from '@linnet/contract/statuses';
import type { Updateable } from 'kysely';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { lockAccount, nextRevision } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import type { Tables } from '../../db/schema.ts';
import { CallError, messages } from '../../http/failure.ts';
import { freeAudio } from '../recording/free-audio.ts';
import { byFlag } from '../recording/service.ts';
import { readSettings, refusalOf, writeSetting } from '../setting/settings.ts';
import { cancelTasksOf } from '../task/cancel.ts';
import { judge } from './conflict.ts';
import type { EraseParts } from './erase.ts';
import { eraseRecording, leaveTombstone } from './erase.ts';
import type { Act, CheckedOperation, ParagraphAct, RecordingAct, SettingAct } from './operation.ts';
import { registerOf } from './operation.ts';
import { patchParagraph, patchRecording } from './patches.ts';
import { isDeleted } from './tombstones.ts';

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
  | { readonly write: (rev: number) => Promise<void> }
  /** It is as it should be already. */
  | 'done';

type Ended = Pick<Row<'operations'>, 'rev' | 'outcome' | 'code'>;

export function createOperations(parts: OperationsParts): Operations {
  const { db, now } = parts;

  return {
    apply: (accountId, ops) =>
      db.transaction().execute(async (trx) => {
        // Locks the account: of two requests with one operation the second finds the first one's.
        const begun = await lockAccount(trx, accountId);
        let rev = begun;
        const ended = await endedBefore(trx, accountId, ops);
        const results: OperationOutcome[] = [];
        for (const op of ops) {
          const id = op.op_id.toLowerCase();
          // Nobody saw a revision that is still to come: a phone of before a restore did not see these.
          const base_rev = op.base_rev > begun ? 0 : op.base_rev;
          const end = ended.get(id) ?? (await applyOne(trx, accountId, { ...op, base_rev }, rev));
          ended.set(id, end);
          rev = Math.max(rev, end.rev);
          const msg = messages[codeName(end.code) ?? 'internal'];
          results.push({ op_id: op.op_id, ...end, msg });
        }
        return { results, rev };
      }),

    async perform(trx, accountId, acts) {
      let base_rev = await lockAccount(trx, accountId);
      const at = now().toISOString();
      for (const act of acts) {
        const op: CheckedOperation = { ...act, op_id: uuidv7(), base_rev, at };
        const { rev, code } = await applyOne(trx, accountId, op, base_rev);
        if (code !== codes.ok) throw new CallError(codeName(code) ?? 'internal');
        base_rev = rev;
      }
    },
  };

  /** Applies an operation that never came before and keeps how it ended. `latest` is the account's. */
  async function applyOne(
    trx: Transaction,
    accountId: string,
    op: CheckedOperation,
    latest: number,
  ): Promise<Ended> {
    const register = registerOf(op);
    const last = await lastApplied(trx, accountId, register);
    const sent = { base_rev: op.base_rev, at: new Date(op.at) };
    const { replaces, at, own_at } = judge(last, sent, now());
    const plan = await planOf(trx, accountId, op);
    const end = await endOf(plan);
    const { op_id, base_rev, at: _, type, ...value } = op;
    const kept = end.outcome === 'refused' || op.type === 'recording.delete' ? null : value;
    await trx
      .insertInto('operations')
      .values({
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
      })
      .execute();
    return end;

    async function endOf(plan: Plan): Promise<Ended> {
      if (plan === 'done') return { outcome: 'applied', rev: latest, code: codes.ok };
      if ('refusal' in plan) {
        return { outcome: 'refused', rev: latest, code: codes[plan.refusal] };
      }
      // Nothing beats deleting for good.
      if (!replaces && op.type !== 'recording.delete') {
        return { outcome: 'superseded', rev: latest, code: codes.ok };
      }
      const rev = await nextRevision(trx, accountId);
      await plan.write(rev);
      return { outcome: 'applied', rev, code: codes.ok };
    }
  }

  async function planOf(trx: Transaction, accountId: string, act: Act): Promise<Plan> {
    if (act.type === 'setting.set') return planSetting(trx, accountId, act);
    const row = await byFlag(trx, accountId, act.recording);
    if (row === undefined) {
      const deleted = await isDeleted(trx, accountId, act.recording);
      if (act.type !== 'recording.delete') {
        return { refusal: deleted ? 'recordingDeleted' : 'notFound' };
      }
      if (deleted) return 'done';
      const identity = { client_flag: act.recording };
      return { write: (rev) => leaveTombstone(trx, accountId, identity, rev, now()) };
    }
    switch (act.type) {
      case 'recording.delete':
        return { write: (rev) => eraseRecording(trx, parts, row, rev) };
      case 'paragraph.edit':
      case 'paragraph.mark':
      case 'paragraph.speaker':
        return planParagraph(trx, row, act);
      default:
        return planRecording(trx, row, act);
    }
  }

  function planRecording(trx: Transaction, row: Row<'recordings'>, act: RecordingAct): Plan {
    const patch = patchRecording(act, row, now());
    if ('refusal' in patch) return patch;
    return {
      async write(rev) {
        // Nobody waits for the transcript of what was thrown away.
        if (act.type === 'recording.bin') await cancelTasksOf(trx, parts, row.id, rev);
        await touch(trx, row.id, { ...patch.set, rev });
      },
    };
  }

  async function planParagraph(
    trx: Transaction,
    { id }: Row<'recordings'>,
    act: ParagraphAct,
  ): Promise<Plan> {
    const paragraph = isId(act.paragraph)
      ? await trx
          .selectFrom('paragraphs')
          .innerJoin('tasks', 'tasks.id', 'paragraphs.task_id')
          .selectAll('paragraphs')
          .where('paragraphs.id', '=', act.paragraph)
          .where('tasks.recording_id', '=', id)
          .executeTakeFirst()
      : undefined;
    if (paragraph === undefined) return { refusal: 'notFound' };
    const patch = patchParagraph(act, paragraph);
    if ('refusal' in patch) return patch;
    return {
      async write(rev) {
        await trx
          .updateTable('paragraphs')
          .set({ ...patch.set, rev })
          .where('id', '=', paragraph.id)
          .execute();
        await touch(trx, id, { rev });
      },
    };
  }

  async function planSetting(trx: Transaction, accountId: string, act: SettingAct): Promise<Plan> {
    const refusal = refusalOf(await readSettings(trx, accountId), act);
    if (refusal !== null) return { refusal };
    return {
      async write(rev) {
        await writeSetting(trx, accountId, act, { rev, now: now() });
        // Also where phones keep recordings from now on: their copies are what the server's wait for.
        if (act.group_name === storageSetting.group) {
          await freeAudio(trx, parts.queue, accountId, { rev, now: now() });
        }
      },
    };
  }

  async function touch(
    trx: Transaction,
    recordingId: string,
    set: Updateable<Tables['recordings']>,
  ): Promise<void> {
    await trx
      .updateTable('recordings')
      .set({ ...set, updated_at: now() })
      .where('id', '=', recordingId)
      .execute();
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

/** What a register's present value comes from; null when nobody changed it yet. */
async function lastApplied(trx: Transaction, accountId: string, register: string) {
  const row = await trx
    .selectFrom('operations')
    .select(['rev', 'base_rev', 'at', 'own_at'])
    .where('account_id', '=', accountId)
    .where('register', '=', register)
    .where('outcome', '=', 'applied')
    .orderBy('rev', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

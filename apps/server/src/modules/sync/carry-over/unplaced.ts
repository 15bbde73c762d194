/** Lists the changes that can't be placed in a new transcript or summary. */
import type { SummaryDocument } from '@linnet/contract';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Transaction } from '../../../db/database.ts';
import { nextRevision } from '../../../db/database.ts';
import type { UnplacedChangeContent } from '../../../transcript/carry-over/types.ts';
import { collectItems } from '../../task/reuse-item-ids.ts';
import type { Recording } from './rows.ts';

/** Returns the completed to-dos of a summary that the next summary lacks. */
export function unplacedTicks(
  ticks: Readonly<Record<string, boolean>>,
  previous: SummaryDocument | null,
  latest: SummaryDocument | null,
): UnplacedChangeContent[] {
  const remaining = new Set(collectItems(latest).map(({ id }) => id));
  return collectItems(previous)
    .filter(({ id }) => ticks[id] === true && !remaining.has(id))
    .map(({ text, start_time: time = 0 }) => ({ kind: 'todo', text, time }));
}

/** Adds changes to a recording's list, in a new revision of the account. */
export async function addUnplaced(
  trx: Transaction,
  { id, account_id: accountId }: Pick<Recording, 'id' | 'account_id'>,
  unplaced: readonly UnplacedChangeContent[],
): Promise<void> {
  if (unplaced.length === 0) return;
  const added = JSON.stringify(
    unplaced.map(({ kind, text, time }) => ({ id: uuidv7(), kind, text, time })),
  );
  await trx
    .updateTable('recordings')
    .set({
      unplaced: sql<string>`unplaced || ${added}::jsonb`,
      rev: await nextRevision(trx, accountId),
    })
    .where('id', '=', id)
    .execute();
}

import type { CallData, CallInput, Paragraph } from '@linnet/contract';
import type { ParagraphEdit } from '@linnet/contract/operations';
import { contentRegister } from '@linnet/contract/operations';
import { sql } from 'kysely';
import type { Database, Queries } from '../../db/database.ts';
import { lockAccount } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { CallError } from '../../http/failure.ts';
import { getRecording } from '../recording/service.ts';
import type { Operations } from '../sync/operations.ts';
import { toParagraph } from './view.ts';

/** Edits a transcript's paragraphs. */
export interface Paragraphs {
  /**
   * Changes a paragraph's text or highlight.
   * @throws CallError notFound
   */
  modify(accountId: string, body: CallInput<'task/modify-paragraph'>): Promise<Paragraph>;
  /**
   * Highlights a paragraph, or removes its highlight.
   * @throws CallError notFound
   */
  mark(accountId: string, body: CallInput<'task/tag'>): Promise<Paragraph>;
  /**
   * Lists all versions of a paragraph's text, starting with the transcribed text.
   * @throws CallError notFound
   */
  history(
    accountId: string,
    body: CallInput<'task/paragraph-history'>,
  ): Promise<CallData<'task/paragraph-history'>>;
}

type WithoutTarget<Edit> = Edit extends unknown ? Omit<Edit, 'recording' | 'paragraph'> : never;

export function createParagraphs(db: Database, operations: Operations): Paragraphs {
  const applyEdit = (
    accountId: string,
    { id, radio_file_id: recordingId }: { id: string; radio_file_id: string },
    edit: WithoutTarget<ParagraphEdit>,
  ): Promise<Paragraph> =>
    db.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId);
      const { client_flag: recording } = await getRecording(trx, accountId, recordingId);
      await operations.perform(trx, accountId, [{ ...edit, recording, paragraph: id }]);
      return toParagraph(await findParagraph(trx, recordingId, id));
    });

  return {
    // The contract requires either `content` or `is_tag`.
    modify: (accountId, { content, is_tag = 0, ...location }) =>
      content === undefined
        ? applyEdit(accountId, location, { type: 'paragraph.mark', is_tag })
        : applyEdit(accountId, location, { type: 'paragraph.edit', content }),

    mark: (accountId, { is_tag, ...location }) =>
      applyEdit(accountId, location, { type: 'paragraph.mark', is_tag }),

    async history(accountId, { id, radio_file_id: recordingId }) {
      const { client_flag: clientFlag } = await getRecording(db, accountId, recordingId);
      const paragraph = await findParagraph(db, recordingId, id);
      const versions = await db
        .selectFrom('operations')
        .select(['at', 'outcome', sql<{ content: string }>`value`.as('value')])
        .where('account_id', '=', accountId)
        .where('register', '=', contentRegister(clientFlag, id))
        .where('outcome', '!=', 'refused')
        .orderBy('at')
        .orderBy('created_at')
        .orderBy('rev')
        .execute();
      const original = {
        content: paragraph.original ?? paragraph.content,
        state: 'original' as const,
        at: paragraph.heard_at.toISOString(),
      };
      const edits = versions.map(({ at, outcome, value: { content } }) => ({
        content,
        state: outcome === 'superseded' ? ('superseded' as const) : ('applied' as const),
        at: at.toISOString(),
      }));
      return { list: [original, ...edits] };
    },
  };
}

/** Finds one of a recording's paragraphs, along with the creation time of its task. */
async function findParagraph(queries: Queries, recordingId: string, id: string) {
  const row = isId(id)
    ? await queries
        .selectFrom('paragraphs')
        .innerJoin('tasks', 'tasks.id', 'paragraphs.task_id')
        .selectAll('paragraphs')
        .select('tasks.created_at as heard_at')
        .where('paragraphs.id', '=', id)
        .where('tasks.recording_id', '=', recordingId)
        .executeTakeFirst()
    : undefined;
  if (!row) throw new CallError('notFound');
  return row;
}

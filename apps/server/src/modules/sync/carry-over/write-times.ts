/** Gives carried values the times of the original edits, so the usual rules resolve conflicts. */
import type { ParagraphEdit } from '@linnet/contract/operations';
import { getRegister } from '@linnet/contract/operations';
import { sql } from 'kysely';
import type { Transaction } from '../../../db/database.ts';
import type {
  CarriedValue,
  SourceParagraph,
  TargetParagraph,
} from '../../../transcript/carry-over/types.ts';
import type { TimedEdit } from '../operations.ts';
import type { Paragraph, Recording } from './rows.ts';

type Field = 'content' | 'mark' | 'speaker';
type Value =
  | Pick<Extract<ParagraphEdit, { type: 'paragraph.edit' }>, 'type' | 'content'>
  | Pick<Extract<ParagraphEdit, { type: 'paragraph.mark' }>, 'type' | 'is_tag'>
  | Pick<Extract<ParagraphEdit, { type: 'paragraph.speaker' }>, 'type' | 'speaker'>;
const fieldByType = {
  'paragraph.edit': 'content',
  'paragraph.mark': 'mark',
  'paragraph.speaker': 'speaker',
} as const satisfies Record<Value['type'], Field>;

/** Reads when the current values of paragraphs were written. */
export async function readWriteTimes(
  trx: Transaction,
  { account_id: accountId, client_flag: recording }: Recording,
  rows: readonly Paragraph[],
) {
  const registerOfField = (field: Field, paragraph: string) => {
    const target = { recording, paragraph };
    switch (field) {
      case 'content':
        return getRegister({ type: 'paragraph.edit', ...target, content: '' });
      case 'mark':
        return getRegister({ type: 'paragraph.mark', ...target, is_tag: 0 });
      case 'speaker':
        return getRegister({ type: 'paragraph.speaker', ...target, speaker: null });
    }
  };
  const registers = rows.flatMap(({ id }) =>
    (['content', 'mark', 'speaker'] as const).map((field) => registerOfField(field, id)),
  );
  const writes = await trx
    .selectFrom('operations')
    .distinctOn('register')
    .select(['register', 'at'])
    .where('account_id', '=', accountId)
    .where('register', '=', sql<string>`any(${registers}::text[])`)
    .where('outcome', '=', 'applied')
    .orderBy('register')
    .orderBy('rev', 'desc')
    .execute();
  const times = new Map(writes.map(({ register, at }) => [register, at]));
  /** Returns when a field of the paragraphs was last written, or undefined if it was never written. */
  const latestWriteTime = (field: Field, ids: readonly string[]): Date | undefined =>
    ids
      .flatMap((id) => times.get(registerOfField(field, id)) ?? [])
      .sort((a, b) => b.getTime() - a.getTime())[0];
  /** Returns the edit that sets a carried value, with the time of the original edits. */
  const edit = ({ paragraph, sources }: CarriedValue<unknown>, value: Value): TimedEdit => {
    const at = latestWriteTime(fieldByType[value.type], sources)?.toISOString();
    return { recording, paragraph, ...value, ...(at !== undefined && { at }) };
  };
  return { of: latestWriteTime, edit };
}

/** Returns a predicate that lets text replace existing text only if it was written later. */
export function allowReplacingEarlierText(times: Awaited<ReturnType<typeof readWriteTimes>>) {
  return (from: SourceParagraph, to: TargetParagraph) => {
    const last = times.of('content', [to.id]);
    return last === undefined || last <= (times.of('content', [from.id]) ?? last);
  };
}

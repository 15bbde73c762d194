/** Keeps a transcript's summary when a range of it is transcribed again. */
import { taskStatus } from '@linnet/contract/statuses';
import type { Row, Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { overlap } from '../../transcript/carry-over/timeline.ts';
import { isActive } from './active-tasks.ts';
import type { RecognizedParagraph } from './outcome.ts';

/**
 * Returns the columns with which the task of a range keeps the summary of the transcript that it continues. Items that
 * refer to replaced paragraphs refer to the new ones at their time. A requested summary that isn't finished is made from
 * the new transcript instead. The transaction must have locked the account.
 * @param replaced the paragraphs that the range replaces
 * @param added the paragraphs that replace them
 */
export async function keepSummary(
  trx: Transaction,
  queue: Queue,
  taskId: string,
  transcriptId: string,
  replaced: readonly Row<'paragraphs'>[],
  added: readonly RecognizedParagraph[],
) {
  const { summary_json, summary_request, keywords, xmind_json, ...texts } = await trx
    .selectFrom('tasks')
    .select(['title', 'brief', 'summary', 'summary_json', 'keywords', 'xmind_json'])
    .select(['summary_request', 'summary_status', 'summary_error_code'])
    .where('id', '=', transcriptId)
    .executeTakeFirstOrThrow();
  const isRequested = isActive(texts.summary_status);
  if (isRequested) {
    // Ends the request on the earlier task, also if its summary is being made.
    await trx
      .updateTable('tasks')
      .set({ summary_status: null })
      .where('id', '=', transcriptId)
      .execute();
    await queue.enqueue(trx, 'summarize', { taskId });
  }
  const places = new Map(replaced.map((paragraph) => [paragraph.id, placeOf(paragraph, added)]));
  const toJson = (document: object | null) =>
    document &&
    JSON.stringify(document, (key, value) => {
      return key === 'paragraph_id' ? (places.get(value) ?? value) : value;
    });
  return {
    ...texts,
    ...(isRequested && { summary_status: taskStatus.queued }),
    keywords: JSON.stringify(keywords),
    summary_json: toJson(summary_json),
    summary_request: summary_request && JSON.stringify(summary_request),
    xmind_json: toJson(xmind_json),
  };
}

/** Returns the ID of the paragraph that shares the most time with a replaced one, or else is the nearest one. */
function placeOf(
  { start_time: start, end_time: end }: Row<'paragraphs'>,
  added: readonly RecognizedParagraph[],
): string | undefined {
  const [best] = added.toSorted(
    (a, b) =>
      overlap(b, { start, end }) - overlap(a, { start, end }) ||
      Math.abs(a.start - start) - Math.abs(b.start - start),
  );
  return best?.id;
}

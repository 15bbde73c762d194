/** Keeps a transcript's summary when a range of it is transcribed again. */
import type { SpeakerReferences } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import type { Row, Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { overlap } from '../../transcript/carry-over/timeline.ts';
import { isActive } from './active-tasks.ts';
import type { RecognizedParagraph } from './outcome.ts';

/**
 * Returns the columns with which the task of a range keeps the summary of the transcript that it continues. Items that
 * refer to replaced paragraphs refer to the new ones at their time. A requested summary that isn't finished is made from
 * the new transcript instead. The speakers of the new paragraphs aren't known yet; {@link keepSpeakers} adds them. The
 * transaction must have locked the account.
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
      if (key === 'paragraph_id') return places.get(value) ?? value;
      if (key !== 'speaker_references' || !isReferences(value)) return value;
      const others = value.paragraphs.filter(({ paragraph_id }) => !places.has(paragraph_id));
      return { ...value, paragraphs: others };
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

/**
 * Adds the speakers of the new paragraphs to the references of a summary that a range kept, so that names follow who is
 * assigned to them. A paragraph that has another speaker than the one it replaces isn't added, because names would change
 * without a change by the owner. The owner's changes must have been carried over.
 */
export async function keepSpeakers(
  trx: Transaction,
  taskId: string,
  transcriptId: string,
  replaced: readonly Row<'paragraphs'>[],
  added: readonly RecognizedParagraph[],
): Promise<void> {
  const documentOf = async (id: string) => {
    const task = trx.selectFrom('tasks').select('summary_json').where('id', '=', id);
    return (await task.executeTakeFirstOrThrow()).summary_json;
  };
  const earlier = (await documentOf(transcriptId))?.speaker_references;
  const document = await documentOf(taskId);
  const references = document?.speaker_references;
  if (!isReferences(earlier) || !isReferences(references)) return;
  const rows = await trx
    .selectFrom('paragraphs')
    .select(['id', 'speaker'])
    .where('task_id', '=', taskId)
    .execute();
  const speakers = new Map(rows.map(({ id, speaker }) => [id, speaker]));
  const replacedById = new Map(replaced.map((paragraph) => [paragraph.id, paragraph]));
  const kept = new Map<string, SpeakerReferences['paragraphs'][number]>();
  for (const { paragraph_id, speaker } of earlier.paragraphs) {
    const paragraph = replacedById.get(paragraph_id);
    const place = paragraph && placeOf(paragraph, added);
    if (place === undefined || speakers.get(place) !== paragraph?.speaker) continue;
    const other = kept.get(place);
    // Of several speakers in one paragraph, one that was merged into another is kept, because the others need no place.
    if (!other || other.speaker === speakers.get(place)) {
      kept.set(place, { paragraph_id: place, speaker });
    }
  }
  const paragraphs = [...references.paragraphs, ...kept.values()];
  await trx
    .updateTable('tasks')
    .set({
      summary_json: JSON.stringify({
        ...document,
        speaker_references: { ...references, paragraphs },
      }),
    })
    .where('id', '=', taskId)
    .execute();
}

/** True for references that can be read. Others stay as they are. */
function isReferences(value: unknown): value is SpeakerReferences {
  if (typeof value !== 'object' || value === null || !('paragraphs' in value)) return false;
  const { paragraphs } = value;
  return Array.isArray(paragraphs) && paragraphs.every((one) => typeof one === 'object' && one);
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

/** Keeps a transcript's summary when a range of the transcript is transcribed again. */
import type { SpeakerReferences } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import type { Row, Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { overlap } from '../../transcript/carry-over/timeline.ts';
import { isActive } from './active-tasks.ts';
import type { RecognizedParagraph } from './outcome.ts';

/**
 * Returns the summary columns for a range's task, copied from the task of the existing transcript. References to
 * replaced paragraphs are changed to the new paragraphs at the same time. If a summary was requested but isn't
 * finished, it is generated from the new transcript instead. The speakers of the new paragraphs aren't known yet, so
 * they are added later by {@link keepSpeakers}. The transaction must already hold the account's lock.
 * @param replaced the paragraphs that the range replaces
 * @param addedParagraphs the paragraphs that replace them
 */
export async function keepSummary(
  trx: Transaction,
  queue: Queue,
  taskId: string,
  transcriptId: string,
  replaced: readonly Row<'paragraphs'>[],
  addedParagraphs: readonly RecognizedParagraph[],
) {
  const { summary_json, summary_request, keywords, xmind_json, ...texts } = await trx
    .selectFrom('tasks')
    .select(['title', 'brief', 'summary', 'summary_json', 'keywords', 'xmind_json'])
    .select(['summary_request', 'summary_status', 'summary_error_code'])
    .where('id', '=', transcriptId)
    .executeTakeFirstOrThrow();
  const isRequested = isActive(texts.summary_status);
  if (isRequested) {
    // Withdraw the request from the earlier task, even if its summary is already in progress.
    await trx
      .updateTable('tasks')
      .set({ summary_status: null })
      .where('id', '=', transcriptId)
      .execute();
    await queue.enqueue(trx, 'summarize', { taskId });
  }
  const places = new Map(
    replaced.map((paragraph) => [paragraph.id, findReplacement(paragraph, addedParagraphs)]),
  );
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
 * Adds the speakers of the new paragraphs to the references of a summary kept by a range, so the summary's names follow
 * later changes of these speakers. A paragraph whose speaker differs from that of the replaced paragraph isn't added:
 * names would change although the speakers were neither renamed nor merged. Call this after carrying over the user's
 * changes.
 */
export async function keepSpeakers(
  trx: Transaction,
  taskId: string,
  transcriptId: string,
  replaced: readonly Row<'paragraphs'>[],
  addedParagraphs: readonly RecognizedParagraph[],
): Promise<void> {
  const readDocument = async (id: string) => {
    const task = trx.selectFrom('tasks').select('summary_json').where('id', '=', id);
    return (await task.executeTakeFirstOrThrow()).summary_json;
  };
  const earlierReferences = (await readDocument(transcriptId))?.speaker_references;
  const document = await readDocument(taskId);
  const references = document?.speaker_references;
  if (!isReferences(earlierReferences) || !isReferences(references)) return;
  const rows = await trx
    .selectFrom('paragraphs')
    .select(['id', 'speaker'])
    .where('task_id', '=', taskId)
    .execute();
  const speakers = new Map(rows.map(({ id, speaker }) => [id, speaker]));
  const replacedById = new Map(replaced.map((paragraph) => [paragraph.id, paragraph]));
  const keptReferences = new Map<string, SpeakerReferences['paragraphs'][number]>();
  for (const { paragraph_id, speaker } of earlierReferences.paragraphs) {
    const paragraph = replacedById.get(paragraph_id);
    const replacementId = paragraph && findReplacement(paragraph, addedParagraphs);
    if (replacementId === undefined || speakers.get(replacementId) !== paragraph?.speaker) continue;
    const existing = keptReferences.get(replacementId);
    // If several references fall on the same paragraph, prefer a speaker that was merged: the label of any other
    // speaker is unchanged, so it can be resolved without a reference.
    if (!existing || existing.speaker === speakers.get(replacementId)) {
      keptReferences.set(replacementId, { paragraph_id: replacementId, speaker });
    }
  }
  const paragraphs = [...references.paragraphs, ...keptReferences.values()];
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

/** Returns whether a value has the expected structure. Malformed references are left unchanged. */
function isReferences(value: unknown): value is SpeakerReferences {
  if (typeof value !== 'object' || value === null || !('paragraphs' in value)) return false;
  const { paragraphs } = value;
  return Array.isArray(paragraphs) && paragraphs.every((item) => typeof item === 'object' && item);
}

/**
 * Returns the ID of the new paragraph that overlaps a replaced paragraph the most or, if none does, is nearest to it.
 */
function findReplacement(
  { start_time: start, end_time: end }: Row<'paragraphs'>,
  addedParagraphs: readonly RecognizedParagraph[],
): string | undefined {
  const [best] = addedParagraphs.toSorted(
    (a, b) =>
      overlap(b, { start, end }) - overlap(a, { start, end }) ||
      Math.abs(a.start - start) - Math.abs(b.start - start),
  );
  return best?.id;
}

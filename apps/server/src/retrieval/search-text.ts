import { fold } from '@linnet/contract/folding';
import { sql } from 'kysely';
import type { NewRow, Row, Transaction } from '../db/database.ts';
import { getDisplayName } from '../modules/recording/view.ts';
import { createGrams } from './grams.ts';

/** The columns of a recording that the search finds. */
export const searchedColumns = [
  'name',
  'ai_title',
  'tags',
  'keywords',
  'speakers',
  'notes',
  'markers',
] as const;
type SearchedRecording = Pick<Row<'recordings'>, (typeof searchedColumns)[number]>;

/** Returns the texts about a recording that the search finds besides the transcript, most relevant first. */
export function listMetadata(recording: SearchedRecording, summary: string) {
  return [
    ['name', getDisplayName(recording)],
    ...recording.tags.map((tag) => ['tag', tag] as const),
    ...recording.keywords.map((word) => ['keyword', word] as const),
    ...Object.values(recording.speakers).map((name) => ['speaker', name] as const),
    ...recording.notes.map(({ text }) => ['note', text] as const),
    ...recording.markers.map(({ label }) => ['marker', label] as const),
    ['summary', summary],
  ] as const;
}

/** Returns the searchable text of a recording with the hashes of its n-grams. */
export function toSearchText(
  accountId: string,
  recording: SearchedRecording & { readonly id: string },
  summary: string,
  paragraphs: readonly string[],
): NewRow<'search_texts'> {
  const texts = [...listMetadata(recording, summary).map(([, text]) => text), ...paragraphs];
  const text = texts.map(fold).join('\n');
  return { recording_id: recording.id, text, grams: createGrams(accountId).ofText(text) };
}

/** Replaces the searchable text of a recording. @param taskId the latest transcript, or null */
export async function indexSearchText(
  trx: Transaction,
  accountId: string,
  recordingId: string,
  taskId: string | null,
): Promise<void> {
  const recording = await trx
    .selectFrom('recordings')
    .select(['id', ...searchedColumns])
    .where('id', '=', recordingId)
    .executeTakeFirst();
  if (recording === undefined) return;
  const transcript = await trx
    .selectFrom('tasks')
    .select('summary')
    .select(
      sql<
        string[]
      >`array(select content from paragraphs where task_id = tasks.id order by ordinal)`.as(
        'paragraphs',
      ),
    )
    .where('id', '=', taskId)
    .executeTakeFirst();
  const { summary = '', paragraphs = [] } = transcript ?? {};
  const values = toSearchText(accountId, recording, summary, paragraphs);
  await trx
    .insertInto('search_texts')
    .values(values)
    .onConflict((conflict) => conflict.column('recording_id').doUpdateSet(values))
    .execute();
}

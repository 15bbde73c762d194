import { setImmediate } from 'node:timers/promises';
import { fold } from '@linnet/contract/folding';
import { sql } from 'kysely';
import type { NewRow, Row, Transaction } from '../db/database.ts';
import { getDisplayName } from '../modules/recording/view.ts';
import { createGrams } from './grams.ts';

/** Number of texts to process before yielding to the event loop. */
const batchSize = 200;
/** The columns of a recording that the search finds. */
const searchedColumns = [
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
export async function toSearchText(
  accountId: string,
  recording: SearchedRecording & { readonly id: string },
  summary: string,
  paragraphs: readonly string[],
): Promise<NewRow<'search_texts'>> {
  const grams = createGrams(accountId);
  const lines: string[] = [];
  const hashes = new Set<number>();
  for (const text of [...listMetadata(recording, summary).map(([, each]) => each), ...paragraphs]) {
    if (lines.length % batchSize === batchSize - 1) await setImmediate();
    const line = fold(text);
    lines.push(line);
    grams.addText(line, hashes);
  }
  return { recording_id: recording.id, text: lines.join('\n'), grams: [...hashes] };
}

/** Replaces the searchable text of a recording. `taskId` is its latest transcript, or null if it has none. */
export async function indexSearchText(
  trx: Transaction,
  {
    accountId,
    recordingId,
    taskId,
  }: { readonly accountId: string; readonly recordingId: string; readonly taskId: string | null },
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
  const values = await toSearchText(accountId, recording, summary, paragraphs);
  await trx
    .insertInto('search_texts')
    .values(values)
    .onConflict((conflict) => conflict.column('recording_id').doUpdateSet(values))
    .execute();
}

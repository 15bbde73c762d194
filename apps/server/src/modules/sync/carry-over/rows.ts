/** Reads transcripts for carrying changes over, and converts their rows to paragraphs. */
import { taskStatus } from '@linnet/contract/statuses';
import type { Queries, Row, Transaction } from '../../../db/database.ts';
import type { SourceParagraph, TargetParagraph } from '../../../transcript/carry-over/types.ts';

export type Paragraph = Row<'paragraphs'>;
export type Recording = Pick<
  Row<'recordings'>,
  'id' | 'account_id' | 'client_flag' | 'speakers' | 'ticks'
>;

/** Returns a query for a recording's transcripts, latest first. */
export function selectTranscripts(queries: Queries, recordingId: string) {
  return queries
    .selectFrom('tasks')
    .select(['id', 'language', 'summary_json', 'transcript_rev', 'range'])
    .where('recording_id', '=', recordingId)
    .where('status', '=', taskStatus.transcribed)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
}

/**
 * Returns whether a transcript has the same speaker labels as the latest transcript, because only ranges have been
 * transcribed since.
 * @param transcripts latest first
 */
export function keepsLabels(
  transcripts: readonly Pick<Row<'tasks'>, 'id' | 'range'>[],
  id: string,
): boolean {
  const laterTranscripts = transcripts.slice(
    0,
    transcripts.findIndex((item) => item.id === id),
  );
  return laterTranscripts.every(({ range }) => range !== null);
}

/** Reads the columns of a recording that are needed to carry over changes. */
export const readRecording = (trx: Transaction, id: string): Promise<Recording> =>
  trx
    .selectFrom('recordings')
    .select(['id', 'account_id', 'client_flag', 'speakers', 'ticks'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** Reads the paragraphs of a task's transcript, in order. */
export const readParagraphs = (queries: Queries, taskId: string): Promise<Paragraph[]> =>
  queries
    .selectFrom('paragraphs')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('ordinal')
    .execute();

/**
 * Reads the paragraphs of an earlier transcript, in order. If later tasks transcribed ranges of it, its other
 * paragraphs now belong to those tasks, so their paragraphs are included.
 * @param transcripts all transcripts of the recording, latest first
 */
export async function readEarlierParagraphs(
  queries: Queries,
  transcripts: readonly Pick<Row<'tasks'>, 'id' | 'range'>[],
  taskId: string,
): Promise<Paragraph[]> {
  const laterTranscripts = transcripts
    .slice(
      0,
      transcripts.findIndex(({ id }) => id === taskId),
    )
    .reverse();
  const nextWhole = laterTranscripts.findIndex(({ range }) => range === null);
  const rangeTranscripts = nextWhole < 0 ? laterTranscripts : laterTranscripts.slice(0, nextWhole);
  const ids = [taskId, ...rangeTranscripts.map(({ id }) => id)];
  const rows = await Promise.all(ids.map((id) => readParagraphs(queries, id)));
  return rows.flat().sort((a, b) => a.start_time - b.start_time);
}

/** Converts a paragraph that changes are carried from. Its text counts as unchanged and its speaker as unassigned. */
export function toSource(row: Paragraph): SourceParagraph {
  return {
    id: row.id,
    start: row.start_time,
    end: row.end_time,
    before: row.content,
    content: row.content,
    isHighlighted: row.is_tag === 1,
    speaker: row.speaker,
    isAssigned: false,
  };
}

/** Converts a paragraph that changes are carried to. */
export function toTarget({
  id,
  start_time,
  end_time,
  content,
  words,
  speaker,
}: Paragraph): TargetParagraph {
  return { id, start: start_time, end: end_time, content, words, speaker };
}

import type { Answer, Quote } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import type { Database, Row } from '../../db/database.ts';
import { languagesOf } from '../../providers/analysis/builtin/language.ts';
import { wordJoiner } from '../../transcript/paragraphs.ts';
import { displayName } from '../recording/view.ts';

export type StoredQuote = Omit<Row<'question_quotes'>, 'question_id'>;
/** A quote with what describes it. */
export type DescribedQuote = StoredQuote &
  Pick<Row<'recordings'>, 'recorded_at' | 'utc_offset' | 'speakers'> & { readonly title: string };

/** Returns the columns that are stored. */
export function toStored({
  position,
  recording_id,
  paragraph_id,
  start_time,
  content,
  speaker,
}: DescribedQuote): StoredQuote {
  return { position, recording_id, paragraph_id, start_time, content, speaker };
}

export function toQuote(row: DescribedQuote): Quote {
  return {
    radio_file_id: row.recording_id,
    title: row.title,
    recorded_at: row.recorded_at.toISOString(),
    paragraph_id: row.paragraph_id,
    start_time: row.start_time,
    text: row.content,
    speaker: (row.speaker && row.speakers[row.speaker]) ?? '',
  };
}

/**
 * Reads questions with their answers, in order. Quotes of deleted recordings and of those in the bin are left out, and
 * so are sentences that came from them.
 */
export async function readAnswers(
  db: Database,
  column: 'id' | 'thread_id',
  value: string,
): Promise<Answer[]> {
  const questions = await db
    .selectFrom('questions')
    .selectAll()
    .where(column, '=', value)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const ids = questions.map(({ id }) => id);
  const quotes = Map.groupBy(await readQuotes(db, ids), ({ question_id: id }) => id);
  const sentences = Map.groupBy(
    await db
      .selectFrom('question_sentences')
      .selectAll()
      .where('question_id', '=', sql<string>`any(${ids}::uuid[])`)
      .orderBy('position')
      .execute(),
    ({ question_id: id }) => id,
  );
  return questions.map(
    ({ id, thread_id, question, is_writing: writing, engine, quoted, created_at }) => {
      const shown = quotes.get(id) ?? [];
      const written = sentences.get(id) ?? [];
      const isWritten = engine !== null || (writing && written.length > 0);
      return {
        ...{ id, thread_id, question, writing },
        asked_at: created_at.toISOString(),
        missing: shown.length < quoted,
        ...(isWritten ? writtenAnswer(shown, written) : quotedAnswer(shown)),
      };
    },
  );
}

type AnswerText = Pick<Answer, 'answer' | 'written' | 'sentences' | 'quotes'>;

function quotedAnswer(rows: readonly DescribedQuote[]): AnswerText {
  const quotes = rows.slice(0, limits.ask.quotes).map(toQuote);
  return { answer: quotes[0]?.text ?? '', written: false, sentences: [], quotes };
}

/**
 * Returns the sentences whose sources still exist, with these sources in their order. If the model found no answer, the
 * closest paragraphs are returned, because it may be wrong.
 */
function writtenAnswer(
  rows: readonly DescribedQuote[],
  written: readonly Row<'question_sentences'>[],
): AnswerText {
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  const kept = written.filter(({ source }) => byPosition.has(source));
  if (kept.length === 0) return { ...quotedAnswer(rows), answer: '', written: true };
  const positions = [...new Set(kept.map(({ source }) => source))];
  return {
    answer: kept.map(({ content }) => content).join(joinerOf(kept[0]?.content ?? '')),
    written: true,
    sentences: kept.map(({ content, source }) => ({
      text: content,
      source: positions.indexOf(source),
    })),
    quotes: positions.flatMap((position) => {
      const row = byPosition.get(position);
      return row ? toQuote(row) : [];
    }),
  };
}

/** Returns what stands between sentences of a text. */
const joinerOf = (text: string) => wordJoiner(languagesOf(text)[0] ?? '');

/** Reads the quotes of questions, best first, except those of recordings in the bin. */
export function readQuotes(
  db: Database,
  questionIds: readonly string[],
): Promise<(DescribedQuote & { readonly question_id: string })[]> {
  return db
    .selectFrom('question_quotes')
    .innerJoin('recordings', 'recordings.id', 'question_quotes.recording_id')
    .selectAll('question_quotes')
    .select(['recordings.recorded_at', 'recordings.utc_offset', 'recordings.speakers'])
    .select(displayName.as('title'))
    .where('is_del', '=', 0)
    .where('question_id', '=', sql<string>`any(${questionIds}::uuid[])`)
    .orderBy('position')
    .execute();
}

import type { Answer, Quote } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { type SqlBool, sql } from 'kysely';
import type { Database, Row } from '../../db/database.ts';
import { detectLanguages } from '../../providers/analysis/builtin/language.ts';
import { wordJoiner } from '../../transcript/paragraphs.ts';
import { displayName } from '../recording/view.ts';

export type StoredQuote = Omit<Row<'question_quotes'>, 'question_id'>;
/** A quote with the details of its recording. */
export type DescribedQuote = StoredQuote &
  Pick<Row<'recordings'>, 'recorded_at' | 'utc_offset' | 'speakers'> & {
    readonly title: string;
    /** The client flag of a recording in progress, or null once it is uploaded. */
    readonly client_flag: string | null;
  };

/** Selects the stored columns of a quote. */
export function toStoredQuote({
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
    radio_file_id: row.recording_id ?? '',
    ...(row.client_flag !== null && { client_flag: row.client_flag }),
    title: row.title,
    recorded_at: row.recorded_at.toISOString(),
    paragraph_id: row.paragraph_id ?? '',
    start_time: row.start_time,
    text: row.content,
    speaker: (row.speaker && row.speakers[row.speaker]) ?? '',
  };
}

/**
 * Reads questions with their answers, in order. Omits quotes from recordings that were deleted or are in the recycle
 * bin, and sentences based on such quotes.
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
      const shownQuotes = quotes.get(id) ?? [];
      const writtenSentences = sentences.get(id) ?? [];
      const isWritten = engine !== null || (writing && writtenSentences.length > 0);
      return {
        id,
        thread_id,
        question,
        writing,
        asked_at: created_at.toISOString(),
        missing: shownQuotes.length < quoted,
        ...(isWritten ? writtenAnswer(shownQuotes, writtenSentences) : quotedAnswer(shownQuotes)),
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
 * Returns the sentences whose sources still exist, with their sources in the same order. If the model found no answer,
 * returns the closest paragraphs instead, because the model may be wrong.
 */
function writtenAnswer(
  rows: readonly DescribedQuote[],
  writtenSentences: readonly Row<'question_sentences'>[],
): AnswerText {
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  const citedSentences = writtenSentences.filter(({ source }) => byPosition.has(source));
  if (citedSentences.length === 0) return { ...quotedAnswer(rows), answer: '', written: true };
  const positions = [...new Set(citedSentences.map(({ source }) => source))];
  return {
    answer: citedSentences
      .map(({ content }) => content)
      .join(findSeparator(citedSentences[0]?.content ?? '')),
    written: true,
    sentences: citedSentences.map(({ content, source }) => ({
      text: content,
      source: positions.indexOf(source),
    })),
    quotes: positions.flatMap((position) => {
      const row = byPosition.get(position);
      return row ? toQuote(row) : [];
    }),
  };
}

/** Returns the separator between the sentences of an answer. */
const findSeparator = (text: string) => wordJoiner(detectLanguages(text)[0] ?? '');

/**
 * Reads the quotes of questions, best first, except quotes from recordings in the recycle bin. Quotes from live text
 * are attributed to the thread's recording once it is uploaded.
 */
export function readQuotes(
  db: Database,
  questionIds: readonly string[],
): Promise<(DescribedQuote & { readonly question_id: string })[]> {
  return db
    .selectFrom('question_quotes')
    .innerJoin('questions', 'questions.id', 'question_quotes.question_id')
    .innerJoin('question_threads', 'question_threads.id', 'questions.thread_id')
    .leftJoin('recordings', (join) =>
      join.on(
        'recordings.id',
        '=',
        sql<string>`coalesce(question_quotes.recording_id, (select id from recordings as uploaded
          where uploaded.account_id = question_threads.account_id
            and uploaded.client_flag = question_threads.client_flag))`,
      ),
    )
    .select(['question_id', 'position', 'paragraph_id', 'start_time', 'content', 'speaker'])
    .select('recordings.id as recording_id')
    .select([
      sql<Date>`coalesce(recordings.recorded_at, questions.created_at)`.as('recorded_at'),
      sql<number>`coalesce(recordings.utc_offset, 0)`.as('utc_offset'),
      sql<Record<string, string>>`coalesce(recordings.speakers, '{}')`.as('speakers'),
      sql<string>`coalesce(${displayName}, '')`.as('title'),
      sql<string | null>`case when recordings.id is null then question_threads.client_flag end`.as(
        'client_flag',
      ),
    ])
    .where(sql<SqlBool>`(recordings.id is null or recordings.is_del = 0)`)
    .where('question_id', '=', sql<string>`any(${questionIds}::uuid[])`)
    .orderBy('position')
    .execute();
}

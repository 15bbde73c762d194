import { Coalesced } from '@linnet/base';
import type { Logger } from 'pino';
import type { Database, Transaction } from '../db/database.ts';
import { toStorable } from '../db/storable.ts';
import { type DescribedQuote, readQuotes } from '../modules/ask/answers.ts';
import { findLastQuestion } from '../modules/ask/threads.ts';
import {
  AnalysisFailure,
  type AnswerPassage,
  type TranscriptAnalyzer,
  type WrittenAnswer,
  type WrittenSentence,
} from '../providers/analysis/port.ts';
import type { JobHandler } from './jobs.ts';

export interface AnswerQuestionDependencies {
  readonly db: Database;
  readonly analyzer: TranscriptAnalyzer;
  readonly log: Pick<Logger, 'warn'>;
  readonly now: () => Date;
}

/**
 * Maximum age of a question for which an answer is still written, in milliseconds. By then, the user has already read
 * the quotes.
 */
const maxAgeMs = 10 * 60_000;

/**
 * Creates the "answer-question" job, in which a language model writes the answer from the quotes. If the model fails,
 * the job isn't retried, because an answer that arrives minutes later is of little use. The answer then consists of the
 * quotes only. The job is retried after other errors, or if it was interrupted.
 */
export function answerQuestionJob({
  db,
  analyzer,
  log,
  now,
}: AnswerQuestionDependencies): JobHandler<'answer-question'> {
  return async ({ questionId }, signal) => {
    const row = await db
      .selectFrom('questions')
      .select(['question', 'thread_id', 'created_at'])
      .where('id', '=', questionId)
      .where('is_writing', '=', true)
      .executeTakeFirst();
    if (row === undefined) return;
    const quotes = await readQuotes(db, [questionId]);
    const isLate = now().getTime() - row.created_at.getTime() > maxAgeMs;
    if (isLate || quotes.length === 0) {
      await finish(db, questionId, null, quotes);
      return;
    }
    const previousQuestion = await findLastQuestion(db, row.thread_id, row.created_at);
    const draft = createDraft(db, questionId, quotes);
    try {
      const answer = await analyzer.answer?.({
        question: row.question,
        ...(previousQuestion !== null && { earlier: previousQuestion }),
        today: formatDay(row.created_at, quotes[0]?.utc_offset ?? 0),
        passages: quotes.map(toPassage),
        signal,
        onSentences: draft.show,
      });
      await draft.settled();
      await finish(db, questionId, answer ? toStorable(answer) : null, quotes);
    } catch (error) {
      await draft.settled();
      if (!(error instanceof AnalysisFailure) || error.code === 'aborted') throw error;
      log.warn({ questionId, reason: error.message }, 'answer failed');
      await finish(db, questionId, null, quotes);
    }
  };
}

/** Creates the job that abandons an answer after the last retry of "answer-question" has failed. */
export function abandonAnswerJob(db: Database): JobHandler<'answer-question.given-up'> {
  return ({ questionId }) => finish(db, questionId, null, []);
}

/** Returns the local date as YYYY-MM-DD. @param utcOffset UTC offset in minutes */
const formatDay = (time: Date, utcOffset: number) =>
  new Date(time.getTime() + utcOffset * 60_000).toISOString().slice(0, 10);

function toPassage(quote: DescribedQuote): AnswerPassage {
  const speaker = quote.speaker === null ? undefined : quote.speakers[quote.speaker];
  return {
    id: String(quote.position),
    text: quote.content,
    recording: quote.title,
    day: formatDay(quote.recorded_at, quote.utc_offset),
    ...(speaker !== undefined && { speaker }),
  };
}

/** The sentences of an answer that is being written. */
interface Draft {
  /** Stores the sentences written so far, in the background. */
  show(sentences: readonly WrittenSentence[]): void;
  /** Waits for all pending writes. */
  settled(): Promise<void>;
}

function createDraft(db: Database, questionId: string, quotes: readonly DescribedQuote[]): Draft {
  let latest: readonly WrittenSentence[] = [];
  let storing: Promise<unknown> = Promise.resolve();
  const stored = new Coalesced(() =>
    db.transaction().execute(async (trx) => {
      const question = await trx
        .selectFrom('questions')
        .select('id')
        .where('id', '=', questionId)
        .where('is_writing', '=', true)
        .forUpdate()
        .executeTakeFirst();
      if (question) await replaceSentences(trx, questionId, toStorable(latest), quotes);
    }),
  );
  return {
    show(sentences) {
      if (JSON.stringify(sentences) === JSON.stringify(latest)) return;
      latest = sentences;
      storing = Promise.all([storing, stored.run()]);
    },
    async settled() {
      await storing;
    },
  };
}

/** Stores the answer, or null if only the quotes remain. */
async function finish(
  db: Database,
  questionId: string,
  answer: WrittenAnswer | null,
  quotes: readonly DescribedQuote[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Do nothing if the question has since been deleted or answered.
    const { numUpdatedRows } = await trx
      .updateTable('questions')
      .set({ is_writing: false, engine: answer?.engine ?? null })
      .where('id', '=', questionId)
      .where('is_writing', '=', true)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    await replaceSentences(trx, questionId, answer?.sentences ?? [], quotes);
  });
}

async function replaceSentences(
  trx: Transaction,
  questionId: string,
  sentences: readonly WrittenSentence[],
  quotes: readonly DescribedQuote[],
): Promise<void> {
  const recordings = new Map(quotes.map((quote) => [String(quote.position), quote.recording_id]));
  const rows = sentences.flatMap(({ text, source }, position) => {
    const recordingId = recordings.get(source);
    return recordingId === undefined
      ? []
      : {
          ...{ question_id: questionId, position, content: text },
          ...{ recording_id: recordingId, source: Number(source) },
        };
  });
  await trx.deleteFrom('question_sentences').where('question_id', '=', questionId).execute();
  if (rows.length > 0) await trx.insertInto('question_sentences').values(rows).execute();
}

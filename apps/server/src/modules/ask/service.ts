import { setTimeout as delay } from 'node:timers/promises';
import type { CallData, CallInput } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { dayMs } from '../../calendar.ts';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import { createPassageIndex } from '../../retrieval/passage-index.ts';
import { analyzeQuestion } from '../../retrieval/question.ts';
import type { RankedParagraph } from '../../retrieval/ranking.ts';
import { createRetriever, type RecordingSelection } from '../../retrieval/retriever.ts';
import { displayName } from '../recording/view.ts';
import { type DescribedQuote, readAnswers, toQuote } from './answers.ts';

/** Answers questions about an account's recordings, and keeps them in threads. */
export interface Questions {
  /**
   * @param signal ends the wait for a language model
   * @throws CallError notFound if the thread or one of the recordings doesn't exist, badRequest if the thread is full
   */
  ask(
    accountId: string,
    body: CallInput<'ask/question'>,
    signal: AbortSignal,
  ): Promise<CallData<'ask/question'>>;
  /** Finds the paragraphs that answer a question, without storing it. */
  passages(accountId: string, body: CallInput<'ask/passages'>): Promise<CallData<'ask/passages'>>;
  threads(accountId: string, page: CallInput<'ask/index'>): Promise<CallData<'ask/index'>>;
  /** @throws CallError notFound */
  thread(accountId: string, id: string): Promise<CallData<'ask/thread'>>;
  /** @throws CallError notFound */
  remove(accountId: string, id: string): Promise<void>;
}

/** Maximum milliseconds that a question waits for changed recordings to be indexed. */
const indexingMs = 3000;

type Thread = Pick<Row<'question_threads'>, 'id' | 'recording_ids'>;
/** Milliseconds between checks whether an answer has been written. */
const pollMs = 400;

export interface QuestionsParts {
  readonly db: Database;
  readonly queue: Queue;
  /** Whether a language model writes answers. */
  readonly writes: boolean;
  readonly now: () => Date;
}

export function createQuestions({ db, queue, writes, now }: QuestionsParts): Questions {
  const index = createPassageIndex(db);
  const retriever = createRetriever(db);

  /** Returns the thread to continue, or a new one that isn't stored yet. */
  async function openThread(
    accountId: string,
    { thread_id: id, ids = [] }: CallInput<'ask/question'>,
  ): Promise<Thread & { readonly isNew: boolean }> {
    if (id !== undefined) {
      const thread = isId(id)
        ? await db
            .selectFrom('question_threads')
            .select(['id', 'recording_ids'])
            .where('account_id', '=', accountId)
            .where('id', '=', id)
            .executeTakeFirst()
        : undefined;
      if (!thread) throw new CallError('notFound');
      return { ...thread, isNew: false };
    }
    const unique = [...new Set(ids)];
    if (!unique.every(isId)) throw new CallError('notFound');
    const { count } = await db
      .selectFrom('recordings')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('id', '=', sql<string>`any(${unique}::uuid[])`)
      .executeTakeFirstOrThrow();
    if (count !== unique.length) throw new CallError('notFound');
    return { id: uuidv7(), recording_ids: unique, isNew: true };
  }

  /** Returns the last question of a thread. */
  async function lastQuestion(threadId: string): Promise<string | null> {
    const row = await db
      .selectFrom('questions')
      .select('question')
      .where('thread_id', '=', threadId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.question ?? null;
  }

  /** Returns today's date where the account's latest recording was made, in days since 1970. */
  async function today(accountId: string): Promise<number> {
    const latest = await db
      .selectFrom('recordings')
      .select('utc_offset')
      .where('account_id', '=', accountId)
      .orderBy('recorded_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return Math.floor((now().getTime() + (latest?.utc_offset ?? 0) * 60_000) / dayMs);
  }

  /** Reads paragraphs with what describes them, in the given order. */
  async function read(found: readonly RankedParagraph[]): Promise<DescribedQuote[]> {
    const { rows } = await sql<DescribedQuote>`
      select (found.position - 1)::int as position, tasks.recording_id, paragraphs.id as paragraph_id,
        paragraphs.start_time, paragraphs.content, paragraphs.speaker,
        recordings.recorded_at, recordings.speakers, ${displayName} as title
      from unnest(${found.map(({ taskId }) => taskId)}::uuid[], ${found.map(({ ordinal }) => ordinal)}::int[])
        with ordinality as found(task_id, ordinal, position)
      join paragraphs on paragraphs.task_id = found.task_id and paragraphs.ordinal = found.ordinal
      join tasks on tasks.id = paragraphs.task_id
      join recordings on recordings.id = tasks.recording_id
      order by found.position`.execute(db);
    return rows;
  }

  async function store(
    accountId: string,
    thread: Thread & { readonly isNew: boolean },
    question: string,
    quotes: readonly DescribedQuote[],
  ): Promise<string> {
    const id = uuidv7();
    const askedAt = now();
    const isWritten = writes && quotes.length > 0;
    await db.transaction().execute(async (trx) => {
      if (thread.isNew) {
        await trx
          .insertInto('question_threads')
          .values({
            ...{ id: thread.id, account_id: accountId, created_at: askedAt, updated_at: askedAt },
            recording_ids: JSON.stringify(thread.recording_ids),
          })
          .execute();
        await deleteOldest(trx, accountId);
      } else {
        const updated = await trx
          .updateTable('question_threads')
          .set({ updated_at: askedAt })
          .where('id', '=', thread.id)
          .returning(({ selectFrom }) =>
            selectFrom('questions')
              .select(({ fn }) => fn.countAll<number>().as('count'))
              .whereRef('thread_id', '=', 'question_threads.id')
              .as('count'),
          )
          .executeTakeFirst();
        // It was deleted in the meantime.
        if (updated === undefined) throw new CallError('notFound');
        if ((updated.count ?? 0) >= limits.ask.questions) {
          throw new CallError(
            'badRequest',
            `A thread has at most ${limits.ask.questions} questions. Begin a new one.`,
          );
        }
      }
      await trx
        .insertInto('questions')
        .values({
          ...{ id, thread_id: thread.id, question, created_at: askedAt },
          is_writing: isWritten,
        })
        .execute();
      if (quotes.length > 0) {
        await trx
          .insertInto('question_quotes')
          .values(
            quotes.map(({ recorded_at: _at, speakers: _names, title: _title, ...each }) => ({
              ...each,
              question_id: id,
            })),
          )
          .execute();
      }
      if (isWritten) await queue.enqueue(trx, 'answer-question', { questionId: id });
    });
    return id;
  }

  /** @param earlier the question that this one continues, if any */
  async function find(
    accountId: string,
    question: string,
    earlier: string | null,
    recordings: RecordingSelection,
    limit: number,
  ) {
    const isIndexed = await index.update(accountId, Date.now() + indexingMs);
    const analyzed = analyzeQuestion(question, earlier, await today(accountId));
    const found = await retriever.find(accountId, analyzed, recordings, limit);
    return { quotes: await read(found), indexing: !isIndexed };
  }

  /** Resolves when the answer has been written, after `seconds`, and when the signal is aborted. */
  async function waitForAnswer(id: string, seconds: number, signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + seconds * 1000;
    while (!signal.aborted && Date.now() < deadline) {
      const row = await db
        .selectFrom('questions')
        .select('is_writing')
        .where('id', '=', id)
        .executeTakeFirst();
      if (!row?.is_writing) return;
      await delay(Math.min(pollMs, Math.max(0, deadline - Date.now())));
    }
  }

  return {
    async ask(accountId, body, signal) {
      const thread = await openThread(accountId, body);
      const earlier = thread.isNew ? null : await lastQuestion(thread.id);
      const ids = thread.recording_ids;
      const { quotes, indexing } = await find(
        accountId,
        body.question,
        earlier,
        ids.length > 0 ? { only: ids } : 'all',
        writes ? limits.ask.read : limits.ask.quotes,
      );
      const id = await store(accountId, thread, body.question, quotes);
      await waitForAnswer(id, body.wait, signal);
      const [answer] = await readAnswers(db, 'id', id);
      if (answer === undefined) throw new CallError('notFound');
      return { ...answer, indexing };
    },

    async passages(accountId, { question, except = [] }) {
      const ids = except.filter(isId);
      const { quotes, indexing } = await find(
        accountId,
        question,
        null,
        { except: ids },
        limits.ask.quotes,
      );
      return { quotes: quotes.map(toQuote), indexing };
    },

    async threads(accountId, { page, limit }) {
      const selected = db.selectFrom('question_threads').where('account_id', '=', accountId);
      const { total } = await selected
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await selectThreads(db)
        .where('account_id', '=', accountId)
        .orderBy('updated_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      return { list: rows.map(toThread), total, page, limit };
    },

    async thread(accountId, id) {
      const row = isId(id)
        ? await selectThreads(db)
            .where('account_id', '=', accountId)
            .where('id', '=', id)
            .executeTakeFirst()
        : undefined;
      if (!row) throw new CallError('notFound');
      return { thread: toThread(row), list: await readAnswers(db, 'thread_id', id) };
    },

    async remove(accountId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('question_threads')
        .where('account_id', '=', accountId)
        .where('id', '=', sql<string>`any(${isId(id) ? [id] : []}::uuid[])`)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) throw new CallError('notFound');
    },
  };
}

/** Deletes the threads beyond the maximum, oldest first. */
async function deleteOldest(trx: Transaction, accountId: string): Promise<void> {
  await trx
    .deleteFrom('question_threads')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('question_threads')
        .select('id')
        .where('account_id', '=', accountId)
        .orderBy('updated_at', 'desc')
        .orderBy('id', 'desc')
        .offset(limits.ask.threads),
    )
    .execute();
}

function selectThreads(db: Database) {
  return db
    .selectFrom('question_threads')
    .select(['id', 'recording_ids', 'updated_at'])
    .select(
      sql<string>`(select question from questions where thread_id = question_threads.id
        order by created_at, id limit 1)`.as('question'),
    )
    .select(
      sql<number>`(select count(*)::int from questions where thread_id = question_threads.id)`.as(
        'count',
      ),
    );
}

function toThread({
  id,
  recording_ids: ids,
  question,
  count,
  updated_at,
}: Thread & { question: string; count: number; updated_at: Date }) {
  return { id, ids, question, count, updated_at: updated_at.toISOString() };
}

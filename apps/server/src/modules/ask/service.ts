import { setTimeout as delay } from 'node:timers/promises';
import type { CallData, CallInput } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { dayMs } from '../../calendar.ts';
import type { Database } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { VectorSearch } from '../../retrieval/embeddings/vector-search.ts';
import { findLivePassages } from '../../retrieval/live-passages.ts';
import { createPassageIndex } from '../../retrieval/passage-index.ts';
import { analyzeQuestion } from '../../retrieval/question.ts';
import type { RankedParagraph } from '../../retrieval/ranking.ts';
import { createRetriever } from '../../retrieval/retriever.ts';
import type { RecordingSelection } from '../../retrieval/selection.ts';
import { findRecordingByFlag } from '../recording/service.ts';
import { displayName } from '../recording/view.ts';
import { latestTranscript } from '../task/latest-transcript.ts';
import {
  type DescribedQuote,
  readAnswers,
  type StoredQuote,
  toQuote,
  toStoredQuote,
} from './answers.ts';
import {
  type OpenThread,
  openLiveThread,
  openThread,
  selectThreads,
  storeQuestion,
  toThread,
} from './threads.ts';

/** A stored question. */
export interface StoredQuestion {
  readonly id: string;
  /** Whether some recordings couldn't be searched yet. */
  readonly indexing: boolean;
}

/** Answers questions about an account's recordings, and stores them in threads. */
export interface Questions {
  /**
   * Finds the paragraphs that answer a question, and stores them with the question. Idempotent: a question with an ID
   * that already exists isn't stored again.
   * @param signal aborted when the client disconnects
   * @throws CallError notFound if the thread or one of the recordings doesn't exist, badRequest if the thread is full
   */
  ask(
    accountId: string,
    body: CallInput<'ask/question'>,
    signal: AbortSignal,
  ): Promise<StoredQuestion>;
  /**
   * Finds passages that answer a question in the live text of a recording in progress, and stores them with the
   * question in a new thread. When the recording is uploaded, the thread is linked to it.
   * @throws CallError notFound if there is no such recording
   */
  askLive(
    accountId: string,
    body: CallInput<'ask/live'>,
    signal: AbortSignal,
  ): Promise<StoredQuestion>;
  /**
   * Returns the answer once a language model has written it, or when the timeout expires.
   * @throws CallError notFound if the question has since been deleted
   */
  answer(
    stored: StoredQuestion,
    seconds: number,
    signal: AbortSignal,
  ): Promise<CallData<'ask/question'>>;
  /** Finds the paragraphs that answer a question, without storing the question. */
  passages(accountId: string, body: CallInput<'ask/passages'>): Promise<CallData<'ask/passages'>>;
  threads(accountId: string, page: CallInput<'ask/index'>): Promise<CallData<'ask/index'>>;
  /**
   * Returns a thread with its questions and answers.
   * @throws CallError notFound
   */
  thread(accountId: string, id: string): Promise<CallData<'ask/thread'>>;
  /**
   * Deletes a thread.
   * @throws CallError notFound
   */
  remove(accountId: string, id: string): Promise<void>;
}

export interface QuestionsDependencies {
  readonly db: Database;
  readonly queue: Queue;
  /** Finds paragraphs by meaning (embeddings), or null to search only by words. */
  readonly vectorSearch: VectorSearch | null;
  /** Whether a language model is configured to write answers. */
  readonly writes: boolean;
  readonly now: () => Date;
}

/** Maximum time that a question waits for changed recordings to be indexed, in milliseconds. */
const indexingMs = 3000;
/** Interval for polling whether the answer has been written, in milliseconds. */
const pollMs = 400;

export function createQuestions({
  db,
  queue,
  vectorSearch,
  writes,
  now,
}: QuestionsDependencies): Questions {
  const index = createPassageIndex(db);
  const retriever = createRetriever(db);

  /** Returns today's date in the time zone of the account's latest recording, in days since 1970. */
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

  /** Reads paragraphs with the details of their recordings, in the given order. */
  async function read(paragraphs: readonly RankedParagraph[]): Promise<DescribedQuote[]> {
    const { rows } = await sql<DescribedQuote>`
      select (found.position - 1)::int as position, tasks.recording_id, paragraphs.id as paragraph_id,
        paragraphs.start_time, paragraphs.content, paragraphs.speaker,
        recordings.recorded_at, recordings.utc_offset, recordings.speakers, ${displayName} as title,
        null as client_flag
      from unnest(${paragraphs.map(({ taskId }) => taskId)}::uuid[], ${paragraphs.map(({ ordinal }) => ordinal)}::int[])
        with ordinality as found(task_id, ordinal, position)
      join paragraphs on paragraphs.task_id = found.task_id and paragraphs.ordinal = found.ordinal
      join tasks on tasks.id = paragraphs.task_id
      join recordings on recordings.id = tasks.recording_id
      order by found.position`.execute(db);
    return rows;
  }

  /**
   * Finds the paragraphs that answer a question.
   * @param earlier the previous question in the thread, if any
   */
  async function find(
    accountId: string,
    question: string,
    earlier: string | null,
    recordings: RecordingSelection,
    limit: number,
  ) {
    const isIndexed = await index.update(accountId, Date.now() + indexingMs);
    const analyzed = analyzeQuestion(question, earlier, await today(accountId));
    const text = earlier === null ? question : `${earlier}\n${question}`;
    const nearParagraphs = vectorSearch?.find(accountId, text, recordings);
    const found = await retriever.find(accountId, analyzed, recordings, limit, nearParagraphs);
    return { quotes: await read(found), indexing: !isIndexed };
  }

  async function isStored(accountId: string, questionId: string): Promise<boolean> {
    const row = await db
      .selectFrom('questions')
      .innerJoin('question_threads', 'question_threads.id', 'questions.thread_id')
      .select('questions.id')
      .where('questions.id', '=', questionId)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Finds passages that answer a question in the live text of a recording in progress. */
  async function findLive(
    accountId: string,
    clientFlag: string,
    question: string,
    earlier: string | null,
    limit: number,
  ): Promise<StoredQuote[]> {
    const analyzed = analyzeQuestion(question, earlier, await today(accountId));
    const passages = await findLivePassages(db, accountId, clientFlag, analyzed, limit);
    return passages.map(({ start, text }, position) => ({
      position,
      recording_id: null,
      paragraph_id: null,
      speaker: null,
      start_time: start,
      content: text,
    }));
  }

  /** Returns the ID of a thread's recording once it has a transcript, or null until then. */
  async function transcribedId(accountId: string, clientFlag: string): Promise<string | null> {
    const recording = await findRecordingByFlag(db, accountId, clientFlag);
    return recording && (await latestTranscript(db, recording.id)) ? recording.id : null;
  }

  /** Finds the passages that answer a question in a thread. */
  async function findIn(
    accountId: string,
    { recordingIds, clientFlag, earlier }: OpenThread,
    question: string,
  ): Promise<{ readonly quotes: StoredQuote[]; readonly indexing: boolean }> {
    const limit = writes ? limits.ask.read : limits.ask.quotes;
    const transcribed = clientFlag === null ? null : await transcribedId(accountId, clientFlag);
    if (clientFlag !== null && transcribed === null) {
      const quotes = await findLive(accountId, clientFlag, question, earlier, limit);
      return { quotes, indexing: false };
    }
    const searchedIds = transcribed === null ? recordingIds : [transcribed];
    const selection = searchedIds.length > 0 ? { only: searchedIds } : 'all';
    const { quotes, indexing } = await find(accountId, question, earlier, selection, limit);
    return { quotes: quotes.map(toStoredQuote), indexing };
  }

  /**
   * Stores a question, unless it is already stored.
   * @param open returns the thread; called only if the question isn't stored yet
   */
  async function store(
    accountId: string,
    { question, question_id }: Pick<CallInput<'ask/question'>, 'question' | 'question_id'>,
    signal: AbortSignal,
    open: () => Promise<OpenThread>,
  ): Promise<StoredQuestion> {
    const id = question_id ?? uuidv7();
    if (question_id !== undefined && (await isStored(accountId, id))) {
      return { id, indexing: false };
    }
    const thread = await open();
    const { quotes, indexing } = await findIn(accountId, thread, question);
    signal.throwIfAborted();
    await storeQuestion(db, queue, accountId, thread, {
      id,
      question,
      askedAt: now(),
      isWritten: writes,
      quotes,
    });
    return { id, indexing };
  }

  return {
    ask: (accountId, body, signal) =>
      store(accountId, body, signal, () => openThread(db, accountId, body)),

    askLive: (accountId, body, signal) =>
      store(accountId, body, signal, () => openLiveThread(db, accountId, body.client_flag)),

    async answer({ id, indexing }, seconds, signal) {
      const deadline = Date.now() + seconds * 1000;
      for (;;) {
        const [answer] = await readAnswers(db, 'id', id);
        if (answer === undefined) throw new CallError('notFound');
        const leftMs = deadline - Date.now();
        if (!answer.writing || leftMs <= 0 || signal.aborted) return { ...answer, indexing };
        await delay(Math.min(pollMs, leftMs));
      }
    },

    async passages(accountId, { question, except = [] }) {
      const recordings = { except: except.filter(isId) };
      const found = await find(accountId, question, null, recordings, limits.ask.quotes);
      return { ...found, quotes: found.quotes.map(toQuote) };
    },

    async threads(accountId, { page, limit }) {
      const { total } = await db
        .selectFrom('question_threads')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .where('account_id', '=', accountId)
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

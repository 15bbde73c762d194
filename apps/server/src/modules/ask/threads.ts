import type { CallInput, QuestionThread } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { type Database, lockAccount, type Row, type Transaction } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import { findLiveSession } from '../live/service.ts';
import { findRecordingByFlag } from '../recording/service.ts';
import { isDeleted } from '../sync/tombstones.ts';
import type { StoredQuote } from './answers.ts';

/** The thread that a new question is added to. */
export interface OpenThread {
  readonly id: string;
  /** The recordings that questions are limited to, or empty for all recordings. */
  readonly recordingIds: readonly string[];
  /** The client flag of the recording that was in progress when the thread was created, or null for other threads. */
  readonly clientFlag: string | null;
  /** The previous question in the thread, or null if the thread isn't stored yet. */
  readonly earlier: string | null;
  readonly isNew: boolean;
}

export interface NewQuestion {
  readonly id: string;
  readonly question: string;
  readonly quotes: readonly StoredQuote[];
  /** Whether a language model should write the answer, provided that the account hasn't reached `maxWriting`. */
  readonly isWritten: boolean;
  readonly askedAt: Date;
}

/**
 * Maximum number of answers per account waiting for a language model. Further questions are answered with quotes only.
 */
const maxWriting = 3;

/**
 * Returns the thread to continue, or a new one that isn't stored yet.
 * @throws CallError notFound if the thread or one of the recordings doesn't exist
 */
export async function openThread(
  db: Database,
  accountId: string,
  { thread_id: id, ids = [] }: Pick<CallInput<'ask/question'>, 'thread_id' | 'ids'>,
): Promise<OpenThread> {
  if (id !== undefined) {
    const thread = isId(id)
      ? await db
          .selectFrom('question_threads')
          .select(['id', 'recording_ids', 'client_flag'])
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirst()
      : undefined;
    if (!thread) throw new CallError('notFound');
    const previousQuestion = await findLastQuestion(db, thread.id);
    const { recording_ids: recordingIds, client_flag: clientFlag } = thread;
    return { id, recordingIds, clientFlag, earlier: previousQuestion, isNew: false };
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
  return { id: uuidv7(), recordingIds: unique, clientFlag: null, earlier: null, isNew: true };
}

/**
 * Returns a new thread about a recording that is in progress or has since been uploaded. The thread isn't stored yet.
 * @throws CallError notFound if there is no such recording
 */
export async function openLiveThread(
  db: Database,
  accountId: string,
  clientFlag: string,
): Promise<OpenThread> {
  const isKnown =
    (await findLiveSession(db, accountId, clientFlag)) ??
    (await findRecordingByFlag(db, accountId, clientFlag));
  if (!isKnown) throw new CallError('notFound');
  return { id: uuidv7(), recordingIds: [], clientFlag, earlier: null, isNew: true };
}

/** Returns the last question of a thread or, if `before` is given, the last question before that one. */
export async function findLastQuestion(
  db: Database,
  threadId: string,
  before?: Date,
): Promise<string | null> {
  const row = await db
    .selectFrom('questions')
    .select('question')
    .where('thread_id', '=', threadId)
    .$if(before !== undefined, (query) => query.where('created_at', '<', before as Date))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.question ?? null;
}

/**
 * Stores a question with its quotes, and creates its thread if necessary.
 * @throws CallError notFound if the thread has since been deleted, badRequest if it is full
 */
export function storeQuestion(
  db: Database,
  queue: Queue,
  accountId: string,
  thread: OpenThread,
  { id, question, quotes, isWritten, askedAt }: NewQuestion,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    // The lock prevents the recording from being permanently deleted during the transaction.
    if (thread.clientFlag !== null) await lockAccount(trx, accountId);
    if (thread.isNew) await insertThread(trx, accountId, thread, askedAt);
    else await continueThread(trx, thread.id, askedAt);
    const keptQuotes = await existingQuotes(trx, quotes);
    const isWriting =
      isWritten && keptQuotes.length > 0 && (await countWriting(trx, accountId)) < maxWriting;
    await trx
      .insertInto('questions')
      .values({
        id,
        thread_id: thread.id,
        question,
        created_at: askedAt,
        is_writing: isWriting,
        quoted: keptQuotes.length,
      })
      .execute();
    if (keptQuotes.length > 0) {
      await trx
        .insertInto('question_quotes')
        .values(keptQuotes.map((quote) => ({ ...quote, question_id: id })))
        .execute();
    }
    if (isWriting) await queue.enqueue(trx, 'answer-question', { questionId: id });
  });
}

async function insertThread(
  trx: Transaction,
  accountId: string,
  { id, recordingIds, clientFlag }: OpenThread,
  askedAt: Date,
): Promise<void> {
  if (clientFlag !== null && (await isDeleted(trx, accountId, clientFlag))) {
    throw new CallError('notFound');
  }
  await trx
    .insertInto('question_threads')
    .values({
      id,
      account_id: accountId,
      created_at: askedAt,
      updated_at: askedAt,
      recording_ids: JSON.stringify(recordingIds),
      client_flag: clientFlag,
    })
    .execute();
  // Delete the oldest threads if the account now exceeds its limit.
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

async function continueThread(trx: Transaction, id: string, askedAt: Date): Promise<void> {
  // Lock the thread, so that a concurrent question from another device is committed before the questions are counted.
  const thread = await trx
    .updateTable('question_threads')
    .set({ updated_at: askedAt })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (thread === undefined) throw new CallError('notFound');
  const { count } = await trx
    .selectFrom('questions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('thread_id', '=', id)
    .executeTakeFirstOrThrow();
  if (count >= limits.ask.questions) {
    throw new CallError(
      'badRequest',
      `A thread can have at most ${limits.ask.questions} questions. Start a new thread.`,
    );
  }
}

/**
 * Returns the quotes from live text and the quotes whose recordings still exist. Locks these recordings, so they can't
 * be erased during the transaction.
 */
async function existingQuotes(
  trx: Transaction,
  quotes: readonly StoredQuote[],
): Promise<StoredQuote[]> {
  const rows = await trx
    .selectFrom('recordings')
    .select('id')
    .where(
      'id',
      '=',
      sql<string>`any(${quotes.flatMap((each) => each.recording_id ?? [])}::uuid[])`,
    )
    .orderBy('id')
    .forKeyShare()
    .execute();
  const existing = new Set(rows.map(({ id }) => id));
  return quotes.filter(({ recording_id: id }) => id === null || existing.has(id));
}

async function countWriting(trx: Transaction, accountId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('questions')
    .innerJoin('question_threads', 'question_threads.id', 'questions.thread_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('is_writing', '=', true)
    .executeTakeFirstOrThrow();
  return count;
}

/** Selects threads in the form that `toThread` expects. */
export function selectThreads(db: Database) {
  return db
    .selectFrom('question_threads')
    .select(['id', 'recording_ids', 'client_flag', 'updated_at'])
    .select(
      sql<
        string | null
      >`(select id from recordings where recordings.account_id = question_threads.account_id
        and recordings.client_flag = question_threads.client_flag)`.as('uploaded_id'),
    )
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

export function toThread({
  recording_ids: ids,
  client_flag,
  uploaded_id: uploadedId,
  updated_at,
  ...thread
}: Pick<Row<'question_threads'>, 'id' | 'recording_ids' | 'client_flag' | 'updated_at'> & {
  /** The ID of the thread's live recording, once it is uploaded. */
  readonly uploaded_id: string | null;
  readonly question: string;
  readonly count: number;
}): QuestionThread {
  return {
    ...thread,
    ids: uploadedId === null ? ids : [uploadedId],
    ...(client_flag !== null && uploadedId === null && { client_flag }),
    updated_at: updated_at.toISOString(),
  };
}

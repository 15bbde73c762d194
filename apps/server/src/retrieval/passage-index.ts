import { sql } from 'kysely';
import type { Database, Row, Transaction } from '../db/database.ts';
import { displayNameOf } from '../modules/recording/view.ts';
import { latestTranscript } from '../modules/task/latest-transcript.ts';
import { kindsOf } from './kinds.ts';
import { aboutRecording } from './tables.ts';
import { hashTerm, speakerTerm, termsOf } from './terms.ts';

/**
 * Keeps the passages of an account up to date. Every change assigns the account's next revision to the changed rows, so
 * that the index only reads the rows after the revision that it has reached.
 */
export interface PassageIndex {
  /**
   * Updates an account's passages.
   * @param deadline time in milliseconds after which no further page of changes is begun
   * @returns whether all changes are indexed
   */
  update(accountId: string, deadline: number): Promise<boolean>;
  /** Returns up to `limit` accounts with changes that aren't indexed. */
  outdatedAccounts(limit: number): Promise<string[]>;
}

/** Maximum changed rows per table and transaction. */
const defaultPageRows = 500;
/** Maximum terms of a paragraph, more than anybody says without a pause. */
const maxTerms = 500;
/** Passages per statement. */
const insertedAtOnce = 500;

/** @param options replaces the size of a page, for tests */
export function createPassageIndex(
  db: Database,
  { pageRows = defaultPageRows }: { readonly pageRows?: number } = {},
): PassageIndex {
  /** Indexes one page of changes. Returns whether there are more. */
  const updatePage = (accountId: string) =>
    db.transaction().execute(async (trx) => {
      await trx
        .insertInto('passage_revisions')
        .values({ account_id: accountId, rev: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      // Concurrent updates of the same account wait for each other.
      const { rev: from } = await trx
        .selectFrom('passage_revisions')
        .select('rev')
        .where('account_id', '=', accountId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const latest = await trx
        .selectFrom('accounts')
        .select('rev')
        .where('id', '=', accountId)
        .executeTakeFirst();
      if (latest === undefined || latest.rev <= from) return false;
      const to = await endOfPage(trx, { accountId, from, to: latest.rev }, pageRows);
      let added = 0;
      for (const id of await changedRecordings(trx, { accountId, from, to })) {
        added += await indexRecording(trx, accountId, id);
      }
      await trx
        .updateTable('passage_revisions')
        .set({ rev: to, passages: sql`passages + ${added}` })
        .where('account_id', '=', accountId)
        .execute();
      return to < latest.rev;
    });

  return {
    async update(accountId, deadline) {
      for (;;) {
        if (!(await updatePage(accountId))) return true;
        if (Date.now() >= deadline) return false;
      }
    },
    async outdatedAccounts(limit) {
      const rows = await db
        .selectFrom('accounts')
        .leftJoin('passage_revisions', 'passage_revisions.account_id', 'accounts.id')
        .select('accounts.id')
        .where(sql<boolean>`accounts.rev > coalesce(passage_revisions.rev, 0)`)
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}

/** An account's revisions after `from`, up to and including `to`. */
interface RevisionRange {
  readonly accountId: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the last revision whose rows all fit on a page; at least the next one. */
async function endOfPage(
  trx: Transaction,
  { accountId, from, to }: RevisionRange,
  pageRows: number,
): Promise<number> {
  const page = (table: 'recordings' | 'tasks' | 'paragraphs') => sql`(
    select rev from ${sql.table(table)} where account_id = ${accountId} and rev > ${from}
    order by rev limit ${pageRows + 1})`;
  const { rows } = await sql<{ rev: number }>`
    select rev from (${page('recordings')} union all ${page('tasks')} union all ${page('paragraphs')}) as changed
    order by rev limit ${pageRows + 1}`.execute(trx);
  const [first, next] = [rows[0], rows[pageRows]];
  if (first === undefined || next === undefined) return to;
  return Math.max(first.rev, next.rev - 1);
}

async function changedRecordings(
  trx: Transaction,
  { accountId, from, to }: RevisionRange,
): Promise<string[]> {
  const isOnPage = (table: string) => sql`${sql.table(table)}.account_id = ${accountId}
    and ${sql.table(table)}.rev > ${from} and ${sql.table(table)}.rev <= ${to}`;
  const { rows } = await sql<{ id: string }>`
    select id from recordings where ${isOnPage('recordings')}
    union select recording_id from tasks where ${isOnPage('tasks')}
    union select recording_id from paragraphs join tasks on tasks.id = paragraphs.task_id
      where ${isOnPage('paragraphs')}`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Replaces the passages of a recording. @returns by how many their number grew */
async function indexRecording(
  trx: Transaction,
  accountId: string,
  recordingId: string,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('passages')
    .where('recording_id', '=', recordingId)
    .executeTakeFirstOrThrow();
  const deleted = Number(numDeletedRows);
  const recording = await trx
    .selectFrom('recordings')
    .select(['name', 'ai_title', 'tags', 'keywords', 'place', 'speakers'])
    .where('id', '=', recordingId)
    .executeTakeFirst();
  if (recording === undefined) return -deleted;
  const transcript = await latestTranscript(trx, recordingId);
  const paragraphs =
    transcript &&
    (await trx
      .selectFrom('paragraphs')
      .select(['ordinal', 'content', 'speaker', 'language'])
      .where('task_id', '=', transcript.id)
      .orderBy('ordinal')
      .execute());
  const row = (
    ordinal: number,
    taskId: string | null,
    text: string,
    { kinds = 0, speaker = '' } = {},
  ) => ({
    recording_id: recordingId,
    ordinal,
    account_id: accountId,
    task_id: taskId,
    kinds,
    terms: [
      ...termsOf(text)
        .slice(0, maxTerms)
        .map((term) => term.text),
      ...(speaker === '' ? [] : termsOf(speaker).map((term) => speakerTerm(term.text))),
    ].map((term) => hashTerm(accountId, term)),
  });
  const passages = [
    row(aboutRecording, null, describe(recording)),
    ...(paragraphs ?? []).map(({ ordinal, content, speaker, language }) =>
      row(ordinal, transcript?.id ?? null, content, {
        kinds: kindsOf(content, language ?? transcript?.language ?? ''),
        speaker: (speaker && recording.speakers[speaker]) ?? '',
      }),
    ),
  ];
  for (let index = 0; index < passages.length; index += insertedAtOnce) {
    await trx
      .insertInto('passages')
      .values(passages.slice(index, index + insertedAtOnce))
      .execute();
  }
  return passages.length - deleted;
}

/** Returns the texts by which a recording is known. */
function describe({
  tags,
  keywords,
  place,
  ...names
}: Pick<
  Row<'recordings'>,
  'name' | 'ai_title' | 'tags' | 'keywords' | 'place' | 'speakers'
>): string {
  return [
    displayNameOf(names),
    ...tags,
    ...keywords,
    place?.name ?? '',
    ...Object.values(names.speakers),
  ].join('\n');
}

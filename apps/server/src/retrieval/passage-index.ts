import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import type { Database, NewRow, Row, Transaction } from '../db/database.ts';
import { displayNameOf } from '../modules/recording/view.ts';
import {
  changedRecordings,
  endOfPage,
  type RevisionRange,
} from '../modules/sync/changed-recordings.ts';
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
   * @param deadline time in milliseconds after which no further recording is begun
   * @returns whether all changes are indexed. If another process is indexing the account, they aren't.
   */
  update(accountId: string, deadline: number): Promise<boolean>;
  /** Returns up to `limit` accounts with changes that aren't indexed, those with the most changes first. */
  outdatedAccounts(limit: number): Promise<string[]>;
}

/** Maximum changed rows per table and page, unless a single revision has more. */
const defaultPageRows = 50;
/** Maximum terms of a paragraph, more than anyone says without a pause. */
const maxTerms = 500;
/** Paragraphs after which other requests of this process get their turn, and passages per statement. */
const batchSize = 200;

type Progress = 'begun' | 'done' | 'busy';

/** @param options replaces the size of a page, for tests */
export function createPassageIndex(
  db: Database,
  { pageRows = defaultPageRows }: { readonly pageRows?: number } = {},
): PassageIndex {
  /**
   * Runs a step while no other process indexes the account. Each step is a transaction of its own, so that the locks
   * of one recording never wait for those of another.
   * @returns null if another process indexes the account, or has done so since the revision was read
   */
  const step = <Result>(
    accountId: string,
    from: number,
    run: (trx: Transaction) => Promise<Result>,
  ): Promise<Result | null> =>
    db.transaction().execute(async (trx) => {
      const locked = await trx
        .selectFrom('passage_revisions')
        .select('rev')
        .where('account_id', '=', accountId)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      return locked?.rev === from ? run(trx) : null;
    });

  /** Indexes one page of changes. `begun` means that there are more. */
  async function updatePage(accountId: string, deadline: number): Promise<Progress> {
    const { from, latest } = await readRevisions(db, accountId);
    if (latest <= from) return 'done';
    const to = await endOfPage(db, { accountId, from, to: latest }, pageRows);
    const range = { accountId, from, to };
    for (const recording of await changedRecordings(db, range)) {
      if (Date.now() >= deadline) return 'begun';
      const added = await step(accountId, from, (trx) => indexRecording(trx, range, recording));
      if (added === null) return 'busy';
    }
    const finished = await step(accountId, from, (trx) =>
      trx
        .updateTable('passage_revisions')
        .set({ rev: to })
        .where('account_id', '=', accountId)
        .execute(),
    );
    if (finished === null) return 'busy';
    return to < latest ? 'begun' : 'done';
  }

  return {
    async update(accountId, deadline) {
      for (;;) {
        const progress = await updatePage(accountId, deadline);
        if (progress === 'done') return true;
        if (progress === 'busy' || Date.now() >= deadline) return false;
      }
    },
    async outdatedAccounts(limit) {
      const rows = await db
        .selectFrom('accounts')
        .leftJoin('passage_revisions', 'passage_revisions.account_id', 'accounts.id')
        .select('accounts.id')
        .where('accounts.closed_at', 'is', null)
        .where(sql<SqlBool>`accounts.rev > coalesce(passage_revisions.rev, 0)`)
        .orderBy(sql`accounts.rev - coalesce(passage_revisions.rev, 0)`, 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}

/** Returns the revision that the index has reached, and the account's latest one. */
async function readRevisions(db: Database, accountId: string) {
  await db
    .insertInto('passage_revisions')
    .columns(['account_id', 'rev'])
    .expression(({ selectFrom, val }) =>
      selectFrom('accounts')
        .select(['id', val(0).as('rev')])
        .where('id', '=', accountId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom('passage_revisions')
    .innerJoin('accounts', 'accounts.id', 'passage_revisions.account_id')
    .select(['passage_revisions.rev as from', 'accounts.rev as latest'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ?? { from: 0, latest: 0 };
}

type Described = Pick<
  Row<'recordings'>,
  'name' | 'ai_title' | 'tags' | 'keywords' | 'place' | 'speakers'
>;

/**
 * Updates the passages of a recording: all of them if it has another transcript or other speakers, and otherwise only
 * those of changed paragraphs.
 */
async function indexRecording(
  trx: Transaction,
  { accountId, from, to }: RevisionRange,
  recordingId: string,
): Promise<void> {
  // Erasure locks the recording before its passages, too.
  const recording = await trx
    .selectFrom('recordings')
    .select(['name', 'ai_title', 'tags', 'keywords', 'place', 'speakers'])
    .where('id', '=', recordingId)
    .forKeyShare()
    .executeTakeFirst();
  if (recording === undefined) return;
  const transcript = await latestTranscript(trx, recordingId);
  const about = await trx
    .selectFrom('passages')
    .select('digest')
    .where('recording_id', '=', recordingId)
    .where('ordinal', '=', aboutRecording)
    .executeTakeFirst();
  const digest = digestOf(transcript?.id ?? null, recording.speakers);
  const isComplete = about?.digest !== digest;
  const paragraphs = transcript
    ? await trx
        .selectFrom('paragraphs')
        .select(['ordinal', 'content', 'speaker', 'language'])
        .where('task_id', '=', transcript.id)
        .$if(!isComplete, (query) => query.where('rev', '>', from).where('rev', '<=', to))
        .orderBy('ordinal')
        .execute()
    : [];
  const key = { recording_id: recordingId, account_id: accountId };
  const hash = (terms: readonly string[]) => terms.map((term) => hashTerm(accountId, term));
  const passages: NewRow<'passages'>[] = [
    {
      ...{ ...key, ordinal: aboutRecording, task_id: null, kinds: 0, digest },
      terms: hash(termsOf(describe(recording)).map(({ text }) => text)),
    },
  ];
  for (const [index, { ordinal, content, speaker, language }] of paragraphs.entries()) {
    if (index % batchSize === batchSize - 1) await setImmediate();
    const terms = termsOf(content).slice(0, maxTerms);
    const name = termsOf((speaker && recording.speakers[speaker]) ?? '');
    passages.push({
      ...{ ...key, ordinal, task_id: transcript?.id ?? null, digest: null },
      kinds: kindsOf(content, language ?? transcript?.language ?? ''),
      terms: hash([...terms.map(({ text }) => text), ...name.map(({ text }) => speakerTerm(text))]),
    });
  }
  const deleted = await trx
    .deleteFrom('passages')
    .where('recording_id', '=', recordingId)
    .$if(!isComplete, (query) =>
      query.where('ordinal', 'in', [
        aboutRecording,
        ...passages.map(({ ordinal }) => ordinal as number),
      ]),
    )
    .executeTakeFirstOrThrow();
  for (let index = 0; index < passages.length; index += batchSize) {
    await trx
      .insertInto('passages')
      .values(passages.slice(index, index + batchSize))
      .execute();
  }
  await trx
    .updateTable('passage_revisions')
    .set({ passages: sql`passages + ${passages.length - Number(deleted.numDeletedRows)}` })
    .where('account_id', '=', accountId)
    .execute();
}

/** Returns a digest of all that the passages of unchanged paragraphs depend on. */
function digestOf(taskId: string | null, speakers: Row<'recordings'>['speakers']): string {
  const names = Object.entries(speakers).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([taskId, names]))
    .digest('base64url');
}

/** Returns the texts by which a recording is known. */
function describe({ tags, keywords, place, speakers, ...names }: Described): string {
  return [
    displayNameOf(names),
    ...tags,
    ...keywords,
    place?.name ?? '',
    ...Object.values(speakers),
  ].join('\n');
}

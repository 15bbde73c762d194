import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import type { Database, NewRow, Row, Transaction } from '../db/database.ts';
import { getDisplayName } from '../modules/recording/view.ts';
import {
  changedRecordings,
  endOfPage,
  type RevisionRange,
  selectChanged,
} from '../modules/sync/changed-recordings.ts';
import { latestTranscript } from '../modules/task/latest-transcript.ts';
import { findConcepts } from './concepts/lexicon.ts';
import { detectKinds } from './kinds.ts';
import { indexSearchText } from './search-text.ts';
import { metadataOrdinal } from './tables.ts';
import { conceptTerm, extractTerms, hashTerm, speakerTerm, type Term } from './terms.ts';

/**
 * Keeps the passages of an account (its keyword index) and its searchable texts up to date. Every change assigns the
 * account's next revision to the changed rows, so the index only reads rows after its last indexed revision.
 */
export interface PassageIndex {
  /**
   * Updates an account's passages.
   * @param deadline time in milliseconds after which no further recording is started
   * @returns whether all changes are indexed. False if the deadline has passed, or another process is indexing the
   *   account.
   */
  update(accountId: string, deadline: number): Promise<boolean>;
  /**
   * Rebuilds an account's passages that are in an earlier format. They can be searched meanwhile.
   * @param deadline as in {@link update}
   */
  rebuild(accountId: string, deadline: number): Promise<void>;
  /**
   * Returns the IDs of up to `limit` accounts with unindexed changes, most changes first, or passages in an earlier
   * format.
   */
  outdatedAccounts(limit: number): Promise<string[]>;
}

/** Maximum number of changed rows per table and page, unless a single revision has more. */
const defaultPageRows = 50;
/**
 * Version of the rules and the lexicon that passages and searchable texts are derived with. After a change, workers
 * rebuild both. A migration must add an index for {@link isOutdated}.
 */
export const passageFormat = 4;
/** The condition of the index `passages_before_format_4`. */
const isOutdated = sql<SqlBool>`passages.ordinal = ${sql.lit(metadataOrdinal)} and passages.format < ${sql.lit(passageFormat)}`;
/** Maximum number of terms per paragraph, more than anyone says without a pause. */
const maxTerms = 500;
/** Maximum number of concepts per paragraph. */
const maxConcepts = 200;
/** Number of paragraphs to process before yielding to the event loop, and of passages per statement. */
const batchSize = 200;

/** `partial`: there are more changes. `busy`: another process indexes the account. */
type Progress = 'partial' | 'done' | 'busy';

/** @param options overrides the page size in tests */
export function createPassageIndex(
  db: Database,
  { pageRows = defaultPageRows }: { readonly pageRows?: number } = {},
): PassageIndex {
  /**
   * Runs a step while no other process indexes the account. Each step is a separate transaction, so locks on different
   * recordings can't deadlock.
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

  /** Indexes one page of changes. */
  async function updatePage(accountId: string, deadline: number): Promise<Progress> {
    const { from, latest } = await readRevisions(db, accountId);
    if (latest <= from) return 'done';
    const to = await endOfPage(db, { accountId, from, to: latest }, pageRows);
    const range = { accountId, from, to };
    for (const recording of await changedRecordings(db, range)) {
      if (Date.now() >= deadline) return 'partial';
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
    return to < latest ? 'partial' : 'done';
  }

  return {
    async update(accountId, deadline) {
      for (;;) {
        const progress = await updatePage(accountId, deadline);
        if (progress === 'done') return true;
        if (progress === 'busy' || Date.now() >= deadline) return false;
      }
    },
    async rebuild(accountId, deadline) {
      const outdated = await db
        .selectFrom('passages')
        .select('recording_id')
        .where('account_id', '=', accountId)
        .where(isOutdated)
        .execute();
      for (const { recording_id: recording } of outdated) {
        if (Date.now() >= deadline) return;
        const { from } = await readRevisions(db, accountId);
        const range = { accountId, from, to: from };
        // The digest depends on the format, so all passages of the recording are replaced.
        const done = await step(accountId, from, (trx) => indexRecording(trx, range, recording));
        if (done === null) return;
      }
    },
    async outdatedAccounts(limit) {
      const rows = await db
        .selectFrom('accounts')
        .leftJoin('passage_revisions', 'passage_revisions.account_id', 'accounts.id')
        .select('accounts.id')
        .where('accounts.closed_at', 'is', null)
        .where(({ or, exists, selectFrom }) =>
          or([
            sql<SqlBool>`accounts.rev > coalesce(passage_revisions.rev, 0)`,
            exists(
              selectFrom('passages')
                .select('recording_id')
                .whereRef('passages.account_id', '=', 'accounts.id')
                .where(isOutdated),
            ),
          ]),
        )
        .orderBy(sql`accounts.rev - coalesce(passage_revisions.rev, 0)`, 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}

/** Returns the recordings of an account that aren't indexed in their current state. */
export async function findUnindexed(trx: Transaction, accountId: string): Promise<string[]> {
  const indexed = await trx
    .selectFrom('passage_revisions')
    .select('rev')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const { rows } = await sql<{ id: string }>`
    ${selectChanged({ accountId, from: indexed?.rev ?? 0 })}
    union select recording_id from passages where account_id = ${accountId} and ${isOutdated}`.execute(
    trx,
  );
  return rows.map(({ id }) => id);
}

/** Returns the last indexed revision and the account's latest revision. */
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

type RecordingDescription = Pick<
  Row<'recordings'>,
  'name' | 'ai_title' | 'tags' | 'keywords' | 'place' | 'speakers'
>;

/**
 * Updates the searchable text of a recording, and its passages: all passages if the transcript was replaced or the
 * speakers changed, otherwise only the passages of changed paragraphs.
 */
async function indexRecording(
  trx: Transaction,
  { accountId, from, to }: RevisionRange,
  recordingId: string,
): Promise<void> {
  // Lock the recording before its passages, in the same order as erasure, to prevent deadlocks.
  const recording = await trx
    .selectFrom('recordings')
    .select(['name', 'ai_title', 'tags', 'keywords', 'place', 'speakers'])
    .where('id', '=', recordingId)
    .forKeyShare()
    .executeTakeFirst();
  if (recording === undefined) return;
  const transcript = await latestTranscript(trx, recordingId);
  const metadata = await trx
    .selectFrom('passages')
    .select('digest')
    .where('recording_id', '=', recordingId)
    .where('ordinal', '=', metadataOrdinal)
    .executeTakeFirst();
  const digest = computeDigest(transcript?.id ?? null, recording.speakers);
  const isComplete = metadata?.digest !== digest;
  const paragraphs = transcript
    ? await trx
        .selectFrom('paragraphs')
        .select(['ordinal', 'content', 'speaker', 'language'])
        .where('task_id', '=', transcript.id)
        .$if(!isComplete, (query) => query.where('rev', '>', from).where('rev', '<=', to))
        .orderBy('ordinal')
        .execute()
    : [];
  const passages = await toPassages({
    accountId,
    recording: { id: recordingId, ...recording },
    transcript: transcript ?? null,
    paragraphs,
  });
  const deleted = await trx
    .deleteFrom('passages')
    .where('recording_id', '=', recordingId)
    .$if(!isComplete, (query) =>
      query.where('ordinal', 'in', [
        metadataOrdinal,
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
  await indexSearchText(trx, { accountId, recordingId, taskId: transcript?.id ?? null });
  await trx
    .updateTable('passage_revisions')
    .set({ passages: sql`passages + ${passages.length - Number(deleted.numDeletedRows)}` })
    .where('account_id', '=', accountId)
    .execute();
}

/**
 * Returns the passages of a recording: one for its metadata, and one for each of the given paragraphs.
 */
export async function toPassages({
  accountId,
  recording,
  transcript,
  paragraphs,
}: {
  readonly accountId: string;
  readonly recording: RecordingDescription & { readonly id: string };
  /** Null if the recording has none. */
  readonly transcript: { readonly id: string; readonly language: string } | null;
  readonly paragraphs: readonly Pick<
    Row<'paragraphs'>,
    'ordinal' | 'content' | 'speaker' | 'language'
  >[];
}): Promise<NewRow<'passages'>[]> {
  const key = { recording_id: recording.id, account_id: accountId };
  const taskId = transcript?.id ?? null;
  const toColumns = (terms: readonly Term[], concepts: ReadonlySet<string>, name = '') => {
    const all = [
      ...terms.map((term) => term.text),
      ...extractTerms(name).map((term) => speakerTerm(term.text)),
      ...[...concepts].slice(0, maxConcepts).map(conceptTerm),
    ];
    const hashes = all.map((term) => hashTerm(accountId, term));
    return { terms: hashes, length: terms.length, format: passageFormat };
  };
  const metadata = describe(recording);
  const passages: NewRow<'passages'>[] = [
    {
      ...{ ...key, ordinal: metadataOrdinal, task_id: null, language: null, kinds: 0 },
      digest: computeDigest(taskId, recording.speakers),
      ...toColumns(extractTerms(metadata), listConcepts(metadata, transcript?.language ?? '')),
    },
  ];
  for (const [index, { ordinal, content, speaker, language }] of paragraphs.entries()) {
    if (index % batchSize === batchSize - 1) await setImmediate();
    const paragraphLanguage = language ?? transcript?.language ?? '';
    const name = (speaker && recording.speakers[speaker]) ?? '';
    const concepts = listConcepts(content, paragraphLanguage);
    const kinds = detectKinds(content, paragraphLanguage, concepts);
    passages.push({
      ...{ ...key, ordinal, task_id: taskId, digest: null, language, kinds },
      ...toColumns(extractTerms(content).slice(0, maxTerms), concepts, name),
    });
  }
  return passages;
}

/** Returns the distinct concepts of a text. */
const listConcepts = (text: string, language: string): Set<string> =>
  new Set(findConcepts(text, [language]).map(({ concept }) => concept));

/** Returns a digest of everything besides its paragraph that a passage depends on. */
function computeDigest(taskId: string | null, speakers: Row<'recordings'>['speakers']): string {
  const names = Object.entries(speakers).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([passageFormat, taskId, names]))
    .digest('base64url');
}

/** Returns the names that describe a recording, one per line. */
function describe({ tags, keywords, place, speakers, ...names }: RecordingDescription): string {
  return [
    getDisplayName(names),
    ...tags,
    ...keywords,
    place?.name ?? '',
    ...Object.values(speakers),
  ].join('\n');
}

/** Fills accounts with recordings, using SQL. */
import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import { type Database, openDatabase, type Queries } from '../../src/db/database.ts';
import { passageFormat, toPassages } from '../../src/retrieval/passage-index.ts';
import { toSearchText } from '../../src/retrieval/search-text.ts';
import { createAccount, withoutTextIndexes } from '../ask/database.ts';
import { readRecordings } from '../ask/library.ts';

/** Paragraphs per recording in the measured account: twenty minutes of speech. */
export const paragraphsPerRecording = 100;
/** The accounts besides the measured one, with the numbers of their recordings and paragraphs. */
export const neighbors = { accounts: 2000, recordingsPerAccount: 5, paragraphsPerRecording: 20 };
/** Number of different paragraphs. Each word is about as frequent as in real transcripts. */
const textCount = 5000;
/**
 * Number of paragraphs from the handwritten library that are joined into one: about 30 words, or twelve seconds of
 * speech.
 */
const partsPerParagraph = 3;
/** Number of invented words, which are as rare as names, in total and per paragraph. */
const inventedWords = { total: 30_000, perParagraph: 4 };
/** Edits per recording: its name, a tag, and three of its paragraphs. */
const editsPerRecording = 5;
/** Recordings per statement. */
const batchSize = 1000;
/** Search texts per statement. */
const searchTextBatchSize = 100;
/** Metadata of each recording besides its title. */
const details = {
  keywords: ['budget', 'garden', 'meeting', 'heron'],
  tags: ['work'],
  ...{ speakers: {}, notes: [], markers: [] },
};
/** Duration of a word in seconds. */
const wordSeconds = 0.4;
/** A word that occurs in one in a thousand recordings. */
export const rareWord = 'lighthouse';

/** An account that is filled in steps. */
export interface GrowingLibrary {
  readonly accountId: string;
  /** Adds recordings until the account has `size`. Returns the duration in seconds. */
  growTo(size: number): Promise<number>;
  /** Adds recordings that aren't in the passage index yet. */
  addUnindexed(count: number): Promise<void>;
}

/** Creates the accounts, and fills all except the measured one. */
export async function createLibrary(db: Database, url: string): Promise<GrowingLibrary> {
  const accountId = await createAccount(db);
  await storeTexts(db, accountId);
  await sql`
    insert into accounts (id, email, password_hash, agreement_version, agreement_accepted_at)
    select uuidv7(), n || '@example.net', '', '1', now() from generate_series(1, ${neighbors.accounts}) as n`.execute(
    db,
  );
  await sql`
    create table growth.neighbors as
    select row_number() over (order by id) - 1 as n, id from accounts where id <> ${accountId}`.execute(
    db,
  );
  const total = neighbors.accounts * neighbors.recordingsPerAccount;
  await load(url, async (queries) => {
    for (let first = 1; first <= total; first += batchSize) {
      const last = Math.min(total, first + batchSize - 1);
      await addRecordings(queries, { accountId: null, isIndexed: false, first, last });
    }
  });
  let storedCount = 0;
  return {
    accountId,
    async growTo(size) {
      const startedAt = performance.now();
      // Building the index takes less time than maintaining it.
      await withoutTextIndexes(db, () =>
        load(url, async (queries) => {
          while (storedCount < size) {
            const last = Math.min(size, storedCount + batchSize);
            await addRecordings(queries, {
              accountId,
              isIndexed: true,
              first: storedCount + 1,
              last,
            });
            storedCount = last;
          }
        }),
      );
      await updateRevision(db, accountId);
      await sql`
        insert into passage_revisions (account_id, rev, passages)
        select id, rev, ${size * (paragraphsPerRecording + 1)} from accounts where id = ${accountId}
        on conflict (account_id) do update set rev = excluded.rev, passages = excluded.passages`.execute(
        db,
      );
      await sql`vacuum (analyze)`.execute(db);
      return (performance.now() - startedAt) / 1000;
    },
    async addUnindexed(count) {
      const [first, last] = [storedCount + 1, storedCount + count];
      await load(url, (queries) =>
        addRecordings(queries, { accountId, isIndexed: false, first, last }),
      );
      storedCount = last;
      await updateRevision(db, accountId);
    },
  };
}

/** Sets the account's revision to that of its latest change. */
async function updateRevision(db: Database, accountId: string): Promise<void> {
  await sql`
    update accounts set rev = greatest(rev, 1 + (select max(rev) from recordings where account_id = ${accountId}))
    where id = ${accountId}`.execute(db);
}

/** Runs a bulk load over one connection, without foreign key checks. */
async function load(url: string, run: (queries: Queries) => Promise<void>): Promise<void> {
  const { db } = openDatabase(url, (error) => console.error(error));
  try {
    await db.connection().execute(async (connection) => {
      await sql`set session_replication_role = replica`.execute(connection);
      await run(connection);
    });
  } finally {
    await db.destroy();
  }
}

/**
 * Stores the paragraphs that all recordings consist of, with word timestamps, and the terms that the passage index
 * derives from them.
 */
async function storeTexts(db: Database, accountId: string): Promise<void> {
  const originals = (await readRecordings()).flatMap(({ paragraphs }) =>
    paragraphs.map(({ content }) => content),
  );
  const random = createRandom();
  const pick = (list: readonly string[]) => list[random(list.length)] as string;
  // The product of two random numbers makes some words common and most of them rare.
  const { total } = inventedWords;
  const invent = () => `w${Math.floor((random(total) * random(total)) / total)}`;
  const contents = Array.from({ length: textCount }, () =>
    [
      ...Array.from({ length: partsPerParagraph }, () => pick(originals)),
      ...Array.from({ length: inventedWords.perParagraph }, invent),
    ].join(' '),
  );
  const titles = originals.map((content) => content.slice(0, 60));
  const indexed = await toPassages({
    accountId,
    recording: {
      ...{ id: accountId, name: '', ai_title: '', tags: [], keywords: [], place: null },
      speakers: {},
    },
    transcript: { id: accountId, language: 'en' },
    paragraphs: [...contents, ...titles, rareWord].map((content, ordinal) => ({
      ...{ ordinal, content, speaker: null, language: null },
    })),
  });
  const rows = [...contents, ...titles, rareWord].map((content, n) => {
    const { terms, kinds, length } = indexed[n + 1] ?? {};
    return { n, content, words: addTimes(content), terms, kinds, length };
  });
  await sql`create schema growth`.execute(db);
  await sql`
    create table growth.texts as
    select n, content, words, array(select jsonb_array_elements_text(terms)::bigint) as terms, kinds, length
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as v(n int, content text, words jsonb, terms jsonb, kinds smallint, length int)`.execute(db);
  // The contents and lengths of a typical summary and mind map.
  const item = { id: crypto.randomUUID(), paragraph_id: crypto.randomUUID(), start_time: 61.2 };
  const items = contents.slice(0, 12).map((text) => ({ ...item, text }));
  const summary = {
    ...{ version: 1, engine: 'builtin', kind: 'extractive', language: 'en', structure: 'general' },
    structures: { general: { sections: [{ heading: 'overview', items }] } },
    ...{ todos: [], knowledge_points: [], needs: [], questions: [], finance: [], timeline: [] },
    ...{ topics: [], looked_for: [] },
  };
  const map = items.map(({ text, ...rest }) => ({ ...rest, topic: text, parentid: 'root' }));
  await sql`
    create table growth.summaries as
    select ${JSON.stringify(summary)}::jsonb as summary_json, ${JSON.stringify(map)}::jsonb as xmind_json,
      ${items.map(({ text }) => text).join('\n')}::text as summary`.execute(db);
}

function addTimes(content: string) {
  return content.split(/\s+/).map((text, index) => ({
    ...{ text, start: index * wordSeconds, end: (index + 1) * wordSeconds, confidence: 0.95 },
  }));
}

/** Returns a generator of whole numbers below `count`, the same in each run. */
function createRandom(): (count: number) => number {
  let seed = 1;
  return (count) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * count);
  };
}

interface Batch {
  /** The measured account, or null to distribute the recordings over the others. */
  readonly accountId: string | null;
  /** Whether to add the passages as well. */
  readonly isIndexed: boolean;
  readonly first: number;
  readonly last: number;
}

/** The number of a paragraph's text. One in a thousand recordings contains {@link rareWord}. */
const textNumber = sql`case when batch.n % 1000 = 500 and ordinal = 7
  then (select max(n) from growth.texts) else (batch.n * 7919 + ordinal * 104729) % ${textCount} end`;

/** Adds transcribed recordings, one per hour, in chronological order. */
async function addRecordings(
  queries: Queries,
  { accountId, isIndexed, first, last }: Batch,
): Promise<void> {
  const isMeasured = accountId !== null;
  const account = isMeasured
    ? sql`${accountId}::uuid`
    : sql`(select id from growth.neighbors where neighbors.n = r.n % ${neighbors.accounts})`;
  const paragraphCount = isMeasured ? paragraphsPerRecording : neighbors.paragraphsPerRecording;
  await sql`drop table if exists pg_temp.batch`.execute(queries);
  await sql`
    create temporary table batch as
    select r.n, uuidv7() as id, uuidv7() as task_id, gen_random_uuid()::text as client_flag,
      ${account} as account_id, texts.content as title, texts.terms, texts.length,
      timestamptz '2015-01-01' + r.n * interval '1 hour' as at
    from generate_series(${first}::int, ${last}::int) as r(n)
    join growth.texts on texts.n = ${textCount} + r.n % 700 order by r.n`.execute(queries);
  // The series refers to `batch` to be evaluated per recording, so a recording's paragraphs are stored together.
  await sql`
    insert into recordings (id, account_id, client_flag, name, ai_title, source, object_key, file_size, sha256,
      audio_sha256, client_sha256, object_stored_at, mime_type, ext, total_time, peaks, sn, brief, keywords, tags, rev,
      stored_rev, recorded_at, created_at, updated_at)
    select id, account_id, client_flag, title, title, n % 2, 'voice/' || account_id || '/' || gen_random_uuid() || '.ogg',
      4800000 + n, md5(n::text) || md5(id::text), md5(id::text) || md5(n::text), md5(n::text) || md5(id::text), at,
      'audio/ogg', 'ogg', 1200 + n % 60, left(repeat(encode(sha256(id::text::bytea), 'base64'), 5), 216), 'SN-1',
      left(repeat(title || ' ', 4), 200), ${JSON.stringify(details.keywords)}, ${JSON.stringify(details.tags)}, 2 * n, 2 * n, at, at, at
    from batch`.execute(queries);
  await sql`
    insert into tasks (id, recording_id, account_id, language, status, progress, engine, title, brief, summary,
      summary_json, xmind_json, keywords, minutes, rev, created_at, updated_at)
    select task_id, id, account_id, 'en', 2, 100, 'sherpa/model', title, left(repeat(title || ' ', 4), 200), summary,
      summary_json, xmind_json, ${JSON.stringify(details.keywords)}, 20, 2 * n + 1, at, at
    from batch, growth.summaries`.execute(queries);
  await sql`
    insert into paragraphs (id, task_id, account_id, ordinal, start_time, end_time, content, words, speaker, rev)
    select uuidv7(), task_id, account_id, ordinal, ordinal * 12, ordinal * 12 + 11.5, content, words,
      (1 + ordinal % 2)::text, 2 * batch.n + 1
    from batch cross join lateral generate_series(batch.n - batch.n, ${paragraphCount - 1}::int) as ordinal
    join growth.texts on texts.n = ${textNumber}`.execute(queries);
  await sql`
    insert into operations (account_id, op_id, register, type, rev, base_rev, at, own_at, outcome, value, created_at)
    select account_id, gen_random_uuid(), 'recording/' || client_flag || case edit
        when 0 then '/name' when 1 then '/tag/work' else '/paragraph/' || gen_random_uuid() || '/content' end,
      case edit when 0 then 'recording.rename' when 1 then 'recording.tag' else 'paragraph.edit' end,
      2 * n, 2 * n - 1, at, at, 'applied',
      jsonb_build_object('recording', client_flag, 'content', left(repeat(title || ' ', 4), 150)), at
    from batch cross join generate_series(0, ${editsPerRecording - 1}::int) as edit`.execute(
    queries,
  );
  await sql`
    insert into transcription_history (task_id, account_id, recording_id, name, total_time, language, status, minutes,
      created_at, updated_at)
    select task_id, account_id, id, title, 1200, 'en', 2, 20, at, at from batch`.execute(queries);
  if (!isIndexed) return;
  // Use the same digest as the passage index, so that an edit replaces only the changed passages.
  await sql`
    insert into passages (recording_id, ordinal, account_id, task_id, terms, length, kinds, digest, format)
    select id, -1, account_id, null, terms, length, 0,
      translate(encode(sha256(('[' || ${sql.lit(passageFormat)} || ',"' || task_id || '",[]]')::bytea), 'base64'), '+/=', '-_'),
      ${sql.lit(passageFormat)} from batch`.execute(queries);
  await sql`
    insert into passages (recording_id, ordinal, account_id, task_id, terms, length, kinds, format)
    select batch.id, ordinal, account_id, task_id, texts.terms, texts.length, texts.kinds, ${sql.lit(passageFormat)}
    from batch cross join lateral generate_series(batch.n - batch.n, ${paragraphCount - 1}::int) as ordinal
    join growth.texts on texts.n = ${textNumber}`.execute(queries);
  const { rows } = await sql<{ id: string; title: string; summary: string; paragraphs: string[] }>`
    select id, title, summary, array(select content from generate_series(batch.n - batch.n, ${paragraphCount - 1}::int) as ordinal
      join growth.texts on texts.n = ${textNumber} order by ordinal) as paragraphs
    from batch, growth.summaries`.execute(queries);
  for (let index = 0; index < rows.length; index += searchTextBatchSize) {
    const values = await Promise.all(
      rows
        .slice(index, index + searchTextBatchSize)
        .map(({ id, title, summary, paragraphs }) =>
          toSearchText(
            accountId ?? '',
            { ...details, id, name: title, ai_title: title },
            summary,
            paragraphs,
          ),
        ),
    );
    await queries.insertInto('search_texts').values(values).execute();
  }
}

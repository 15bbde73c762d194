import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toBcp47 } from '@linnet/contract/languages';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { type Database, migrate, openDatabase } from '../../src/db/database.ts';
import { startPostgres } from '../../src/embedded/postgres.ts';
import { toPassages } from '../../src/retrieval/passage-index.ts';
import type { LibraryRecording } from './library.ts';

export async function withDatabase<Result>(
  use: (db: Database) => Promise<Result>,
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const postgres = await startPostgres({ dataDir, log: () => undefined });
  try {
    const { db } = openDatabase(postgres.url, (error) => console.error(error));
    try {
      await migrate(db);
      return await use(db);
    } finally {
      await db.destroy();
    }
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

export async function createAccount(db: Database): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('accounts')
    .values({
      id,
      email: `${id}@example.org`,
      password_hash: '',
      agreement_version: '1',
      agreement_accepted_at: new Date(),
    })
    .execute();
  return id;
}

/** A recording in the database. */
export interface StoredRecording {
  readonly id: string;
  readonly taskId: string;
  readonly recording: LibraryRecording;
}

const getLanguage = ({ language }: LibraryRecording) => toBcp47(language) ?? 'en';

/** Stores recordings with their transcripts, with one statement per table. */
export async function store(
  db: Database,
  account: string,
  recordings: readonly LibraryRecording[],
  firstRevision = 0,
): Promise<StoredRecording[]> {
  const stored = recordings.map((recording) => ({ id: uuidv7(), taskId: uuidv7(), recording }));
  const computeRevision = (index: number) => firstRevision + index + 1;
  await db
    .insertInto('recordings')
    .values(
      stored.map(({ id, recording }, index) => ({
        ...{ id, account_id: account, client_flag: id, rev: computeRevision(index) },
        name: recording.title,
        recorded_at: new Date(recording.recorded_at),
        tags: JSON.stringify(recording.tags),
        speakers: JSON.stringify(recording.speakers),
        place: recording.place
          ? JSON.stringify({ latitude: 0, longitude: 0, name: recording.place })
          : null,
      })),
    )
    .execute();
  await db
    .insertInto('tasks')
    .values(
      stored.map(({ id, taskId, recording }, index) => ({
        ...{ id: taskId, recording_id: id, account_id: account, rev: computeRevision(index) },
        ...{ language: getLanguage(recording), status: 2, progress: 100 },
      })),
    )
    .execute();
  const paragraphs = stored.flatMap(({ taskId, recording }, index) =>
    recording.paragraphs.map((paragraph, ordinal) => ({
      ...{ id: uuidv7(), task_id: taskId, ordinal, rev: computeRevision(index) },
      ...paragraph,
    })),
  );
  await sql`insert into paragraphs (id, task_id, account_id, ordinal, rev, start_time, end_time, speaker, content)
    select id, task_id, ${account}, ordinal, rev, start_time, end_time, speaker, content
    from jsonb_to_recordset(${JSON.stringify(paragraphs)}::jsonb) as v(id uuid, task_id uuid, ordinal int,
      rev bigint, start_time float8, end_time float8, speaker text, content text)`.execute(db);
  await db
    .updateTable('accounts')
    .set({ rev: firstRevision + recordings.length })
    .where('id', '=', account)
    .execute();
  return stored;
}

/**
 * Adds the passages of stored recordings, as the passage index does, but in bulk and without search texts. The
 * account's index must be complete up to the first of them.
 */
export async function addPassages(
  db: Database,
  account: string,
  stored: readonly StoredRecording[],
): Promise<void> {
  let count = 0;
  for (const { id, taskId, recording } of stored) {
    const { title: name, tags, speakers, place, paragraphs } = recording;
    const passages = await toPassages({
      accountId: account,
      recording: {
        ...{ id, name, tags, speakers, ai_title: '', keywords: [] },
        place: place ? { latitude: 0, longitude: 0, name: place } : null,
      },
      transcript: { id: taskId, language: getLanguage(recording) },
      paragraphs: paragraphs.map(({ content, speaker }, ordinal) => ({
        ...{ ordinal, content, speaker, language: null },
      })),
    });
    count += passages.length;
    await db.insertInto('passages').values(passages).execute();
  }
  await db
    .updateTable('passage_revisions')
    .set(({ eb, selectFrom }) => ({
      passages: eb('passages', '+', count),
      rev: selectFrom('accounts').select('accounts.rev').where('id', '=', account),
    }))
    .where('account_id', '=', account)
    .execute();
}

/** Runs a bulk load without the text indexes, and builds them afterwards, which is faster than maintaining them. */
export async function withoutTextIndexes(db: Database, load: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where indexname in ('passages_terms', 'search_texts_grams')`.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.table(name)}`.execute(db);
  await load();
  for (const { definition } of rows) await sql.raw(definition).execute(db);
}

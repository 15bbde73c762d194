import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toBcp47 } from '@linnet/contract/languages';
import { v7 as uuidv7 } from 'uuid';
import { type Database, migrate, openDatabase } from '../../src/db/database.ts';
import { startPostgres } from '../../src/embedded/postgres.ts';
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

/** Stores recordings with their transcripts. Returns their IDs by the library's. */
export async function store(
  db: Database,
  account: string,
  recordings: readonly LibraryRecording[],
  firstRevision = 0,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [index, recording] of recordings.entries()) {
    const [id, task, rev] = [uuidv7(), uuidv7(), firstRevision + index + 1];
    ids.set(recording.id, id);
    await db
      .insertInto('recordings')
      .values({
        ...{ id, account_id: account, client_flag: id, name: recording.title, rev },
        recorded_at: new Date(recording.recorded_at),
        tags: JSON.stringify(recording.tags),
        speakers: JSON.stringify(recording.speakers),
        ...(recording.place && {
          place: JSON.stringify({ latitude: 0, longitude: 0, name: recording.place }),
        }),
      })
      .execute();
    await db
      .insertInto('tasks')
      .values({
        ...{ id: task, recording_id: id, account_id: account, rev },
        ...{ language: toBcp47(recording.language) ?? 'en', status: 2, progress: 100 },
      })
      .execute();
    await db
      .insertInto('paragraphs')
      .values(
        recording.paragraphs.map((paragraph, ordinal) => ({
          ...{ id: uuidv7(), task_id: task, account_id: account, ordinal, rev },
          ...paragraph,
        })),
      )
      .execute();
  }
  await db
    .updateTable('accounts')
    .set({ rev: firstRevision + recordings.length })
    .where('id', '=', account)
    .execute();
  return ids;
}

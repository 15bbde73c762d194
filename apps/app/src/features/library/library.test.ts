import { createStores, migrate, type SqlDatabase } from '@linnet/local-db';
import { ProgressBoard, type RecordStore } from '@linnet/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LibraryService } from '../../ports/library.ts';
import { createLibrary } from './library.ts';

// Imported dynamically, because the app's type check doesn't include Node's types.
const { openNodeSqlite }: { openNodeSqlite(path: string): Promise<SqlDatabase> } = await import(
  '@linnet/local-db/node-sqlite' as string
);

const id = '01936f7e-0000-7000-8000-000000000001';
let database: SqlDatabase;
let records: RecordStore;
let library: LibraryService;

beforeEach(async () => {
  database = await openNodeSqlite(':memory:');
  await migrate(database);
  const stores = createStores(database);
  records = stores.records;
  const unexpected = () => expect.fail('unexpected call');
  library = createLibrary({
    ...stores,
    progress: new ProgressBoard(),
    uid: () => 'owner',
    onUser: () => () => {},
    cloud: () => null,
    downloads: () => null,
    summarize: unexpected,
    transcribeRange: unexpected,
    cancelTranscription: unexpected,
    versions: unexpected,
    findAudio: unexpected,
    poll: unexpected,
    refetch: unexpected,
    onError: unexpected,
  });
  const audio = {
    sha256: 'ab'.repeat(32),
    bytes: 1600,
    seconds: 2,
    peaks: new Uint8Array(),
    localfile: 'x',
  };
  await records.add({ id, uid: 'owner', title: 'Talk', createDate: '2026-02-03', audio });
});
afterEach(() => database.close());

const failed = {
  is_trans: 3,
  task: { id: 'task-1', language: 'en' },
  problem: { step: 'transcribe', code: 'failed' },
} as const;
const pendingRequest = async () => {
  const [record] = await records.queue('owner', false);
  return (
    record && [record.requestedLanguage, record.requestedAudio, record.problem, record.is_trans]
  );
};

describe('requesting a transcript', () => {
  it('clears an earlier failure when another language is requested', async () => {
    await records.update(id, failed);
    await library.transcribe(id, 'fr');
    expect(await pendingRequest()).toEqual(['fr', 'original', null, 0]);
  });

  it('keeps the existing transcript while a new one is requested', async () => {
    await records.update(id, { is_trans: 2, task: failed.task });
    await library.transcribe(id, 'fr', 'cleaner');
    expect(await pendingRequest()).toEqual(['fr', 'cleaner', null, 2]);
  });

  it('retries with the same language and audio version', async () => {
    await library.transcribe(id, 'en', 'cleaner');
    await records.update(id, { ...failed, requestedLanguage: null });
    await library.retry(id);
    expect(await pendingRequest()).toEqual(['en', 'cleaner', null, 0]);
  });

  it('can be canceled after the server has rejected it', async () => {
    await records.update(id, { is_trans: 2, task: failed.task });
    await library.transcribe(id, 'fr');
    await records.update(id, { problem: { step: 'transcribe', code: 'refused' } });
    await library.cancelRequest(id);
    expect(await records.detail(id)).toMatchObject({
      is_trans: 2,
      problem: null,
      requestedLanguage: null,
      task: failed.task,
    });
  });
});

describe('archiving', () => {
  it('keeps the recording and its position in the list of all recordings, even after it was in the bin', async () => {
    const loadArchived = async () =>
      (await records.summaries('owner')).map((record) => [record.id, record.is_archived]);
    await library.archive([id], true);
    expect(await loadArchived()).toEqual([[id, 1]]);
    await library.moveToBin([id]);
    await library.restore([id]);
    expect(await loadArchived()).toEqual([[id, 1]]);
    await library.archive([id], false);
    expect(await loadArchived()).toEqual([[id, 0]]);
  });
});

describe('permanent deletion', () => {
  const loadBinned = async () => (await records.binned('owner')).map((record) => record.id);

  it('deletes recordings in the bin', async () => {
    await library.moveToBin([id]);
    await library.deletePermanently([id]);
    expect([await loadBinned(), await records.detail(id)]).toEqual([[], null]);
  });

  it('skips recordings that have been restored since', async () => {
    await library.moveToBin([id]);
    const selected = await loadBinned();
    await library.restore(selected);
    await library.deletePermanently(selected);
    expect((await records.summaries('owner')).map((record) => record.id)).toEqual([id]);
  });
});

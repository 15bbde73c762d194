import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startClock } from '../../../test/openai/clock.ts';
import { trigramVector } from '../../../test/openai/embeddings.ts';
import {
  type FakeOpenAi,
  fakeOpenAiKey,
  refusals,
  startOpenAi,
} from '../../../test/openai/service.ts';
import { type Account, startTestServer, type TestServer } from '../../../test/server.ts';
import { createPhone } from '../../../test/sync.ts';
import { transcribe } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { embedPassagesJob } from '../../jobs/embed-passages.ts';
import { eraseAccountJob } from '../../jobs/erase-account.ts';
import { createOpenAiEmbedder } from '../../providers/embedding/openai/index.ts';
import { selectMailer } from '../../providers/mail/index.ts';
import { toUnit } from '../../providers/speakers/vectors.ts';
import { createVectorIndex } from './vector-index.ts';
import { packVector } from './vectors.ts';
import { createWindows, unpackWindows } from './windows.ts';

let service: FakeOpenAi;
let server: TestServer;
let owner: Account;
beforeAll(async () => {
  [service, server] = await Promise.all([startOpenAi(), startTestServer()]);
});
afterAll(async () => {
  await server.close();
  await service.close();
});
beforeEach(async () => {
  // Each test deletes the recordings of other accounts, because the index covers all accounts.
  await server.db.deleteFrom('accounts').execute();
  Object.assign(service, { hold: Promise.resolve(), dimensions: 64, refusedTexts: null });
  for (const list of [service.embeddings, service.faults]) list.length = 0;
  owner = await server.register();
});

const createIndex = (model = 'small', options = {}) =>
  createVectorIndex(
    server.db,
    createOpenAiEmbedder({
      ...{ baseUrl: service.url, apiKey: fakeOpenAiKey, model, clock: startClock() },
      prefixes: { passage: '', question: '' },
    }),
    options,
  );
const { signal } = new AbortController();
const update = (index = createIndex(), stop = signal) =>
  index.update(Number.POSITIVE_INFINITY, stop);

async function addRecording(...texts: string[]) {
  const { id, client_flag } = await uploadRecording(server, owner, toneWave(3, 8000), {
    ext: 'wav',
  });
  const { taskId, paragraphs } = await transcribe(server, owner, id, texts);
  return { id, flag: client_flag, taskId, paragraphs };
}
const rows = () => server.db.selectFrom('passage_vectors').selectAll().execute();
const findRow = async (id: string) => (await rows()).find((row) => row.recording_id === id);
/** Returns the requested texts, except for requests that only determine the model. */
const getRequested = () =>
  service.embeddings.flatMap(({ input }) => input).filter((text) => !/begins at nine/.test(text));
const storedWindows = async (id: string) =>
  unpackWindows((await findRow(id))?.windows ?? Buffer.alloc(0)).length;
/** Returns the stored vectors of paragraphs. */
const packed = (...contents: string[]) =>
  packedTexts(createWindows(contents.map((content, ordinal) => ({ ordinal, content }))));
const packedTexts = (windows: readonly { readonly text: string }[]) =>
  Buffer.concat(
    windows.map(({ text }) => packVector(toUnit(Float32Array.from(trigramVector(text, 64))))),
  );

describe('the vectors of a recording', () => {
  it('are the vectors of its paragraphs, with an answer including its question', async () => {
    const { id, taskId } = await addRecording('When is the rent due?', 'On the first.');
    expect(await update()).toEqual({ vectors: 2, failed: [] });
    const row = await findRow(id);
    expect(row).toMatchObject({ model: 'openai/small:64', task_id: taskId, account_id: owner.id });
    expect(row?.computed_rev).toBe(row?.changed_rev);
    expect(unpackWindows(row?.windows ?? Buffer.alloc(0)).map(({ ordinal }) => ordinal)).toEqual([
      0, 1,
    ]);
    expect(row?.vectors).toEqual(
      packedTexts([
        { text: 'When is the rent due?' },
        { text: 'When is the rent due?\nOn the first.' },
      ]),
    );
    expect(row?.bits).toHaveLength(2 * 8);
    expect(await createIndex().countMissing(signal)).toBe(0);
  });

  it('are computed again only for a changed question and its answer', async () => {
    const { id, flag, paragraphs } = await addRecording('One?', 'Two?', 'Three.', 'Four.');
    const index = createIndex();
    await update(index);
    service.embeddings.length = 0;
    const phone = createPhone(server, owner);
    await phone.applyOne({ type: 'recording.tag', recording: flag, tag: 'house', on: true });
    expect(await update(index)).toEqual({ vectors: 0, failed: [] });
    expect(getRequested()).toEqual([]);
    await phone.applyOne({
      ...{ type: 'paragraph.edit', recording: flag },
      ...{ paragraph: paragraphs[1] ?? '', content: 'Zwei?' },
    });
    expect(await update(index)).toEqual({ vectors: 2, failed: [] });
    expect(getRequested()).toEqual(['One?\nZwei?', 'Zwei?\nThree.']);
    expect((await findRow(id))?.vectors).toEqual(packed('One?', 'Zwei?', 'Three.', 'Four.'));
  });

  it('are replaced with a new transcript', async () => {
    const { id } = await addRecording('One.', 'Two.', 'Three.');
    await update();
    const { taskId } = await transcribe(server, owner, id, ['One.', 'Zwei.']);
    await update();
    expect(await findRow(id)).toMatchObject({
      task_id: taskId,
      vectors: packed('One.', 'Zwei.'),
    });
  });

  it('are empty without a transcript', async () => {
    await uploadRecording(server, owner, toneWave(3, 8000), { ext: 'wav' });
    expect(await update()).toEqual({ vectors: 0, failed: [] });
    expect(await rows()).toMatchObject([{ model: 'openai/small:64', task_id: null }]);
    expect(await createIndex().countMissing(signal)).toBe(0);
  });

  it('are all recomputed with a different model, and never mixed with previous vectors', async () => {
    await addRecording('One.', 'Two.');
    await addRecording('Three.');
    await update();
    const large = createIndex('large');
    expect(await large.countMissing(signal)).toBe(2);
    expect(await update(large)).toEqual({ vectors: 3, failed: [] });
    expect((await rows()).map(({ model }) => model)).toEqual([
      'openai/large:64',
      'openai/large:64',
    ]);
    // The dimensions may change with the same name.
    service.dimensions = 32;
    await expect(
      update(large)
        .then(() => addRecording('Four.'))
        .then(() => update(large)),
    ).rejects.toMatchObject({ code: 'engine-failed' });
    await update(large);
    expect(new Set((await rows()).map(({ model }) => model))).toEqual(new Set(['openai/large:32']));
  });

  it('are the same if two processes compute them at once', async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1)
      ids.push((await addRecording(`One ${count}.`, 'Two.')).id);
    await Promise.all([update(), update()]);
    for (const [count, id] of ids.entries()) {
      expect(await findRow(id)).toMatchObject({
        vectors: packed(`One ${count}.`, 'Two.'),
      });
    }
    expect(await createIndex().countMissing(signal)).toBe(0);
  });

  it('of a long recording are stored in between, and completed by the next run', async () => {
    const texts = Array.from({ length: 150 }, (_, index) => `Number ${index}.`);
    const { id } = await addRecording(...texts);
    await update(createIndex('small', { storeAfter: 0 }));
    expect(await storedWindows(id)).toBe(150);
    const versions = await server.db.selectFrom('vector_revisions').select('version').execute();
    expect(versions).toEqual([{ version: 3 }]);
    // The service fails after the requests for the model and for the first 64 windows.
    const none = { kind: 'change', transform: (answer: unknown) => answer } as const;
    service.faults.push(none, none, none, refusals.wrongKey);
    const large = createIndex('large', { storeAfter: 0 });
    await expect(update(large)).rejects.toMatchObject({ code: 'access-refused' });
    expect(await storedWindows(id)).toBe(64);
    expect(await large.countMissing(signal)).toBe(1);
    expect(await update(large)).toEqual({ vectors: 86, failed: [] });
    expect((await findRow(id))?.vectors).toEqual(packed(...texts));
  });

  it('follow a change that is made while they are computed', async () => {
    const { id, flag, paragraphs } = await addRecording('One.');
    const hold = Promise.withResolvers<void>();
    const index = createIndex();
    await update(index);
    await createPhone(server, owner).applyOne({
      ...{ type: 'paragraph.edit', recording: flag },
      ...{ paragraph: paragraphs[0] ?? '', content: 'Eins.' },
    });
    service.hold = hold.promise;
    const running = update(index);
    await expect.poll(() => service.requests.length).toBeGreaterThan(0);
    await createPhone(server, owner).applyOne({
      ...{ type: 'paragraph.edit', recording: flag },
      ...{ paragraph: paragraphs[0] ?? '', content: 'Uno.' },
    });
    hold.resolve();
    await running;
    await update(index);
    expect((await findRow(id))?.vectors).toEqual(packed('Uno.'));
  });
});

describe('erasure', () => {
  it('of a recording deletes its vectors, even while they are being computed', async () => {
    const { id } = await addRecording('One.');
    const token = { token: owner.access };
    await update();
    await server.call('radio/delete', { id }, token);
    await server.call('radio/batchDelete', { ids: [id] }, token);
    expect(await rows()).toEqual([]);
    const other = await addRecording('Two.');
    const hold = Promise.withResolvers<void>();
    const index = createIndex();
    await update(index);
    service.hold = hold.promise;
    await transcribe(server, owner, other.id, ['Three.']);
    const requestCount = service.requests.length;
    const running = update(index);
    await expect.poll(() => service.requests.length).toBeGreaterThan(requestCount);
    await server.call('radio/delete', { id: other.id }, token);
    await server.call('radio/batchDelete', { ids: [other.id] }, token);
    hold.resolve();
    expect(await running).toMatchObject({ failed: [] });
    expect(await rows()).toEqual([]);
  });

  it('of an account deletes all of them', async () => {
    await addRecording('One.');
    await update();
    const { db, queue, store, now } = server;
    await db.updateTable('accounts').set({ closed_at: now() }).where('id', '=', owner.id).execute();
    const mailer = selectMailer(server.config);
    const log = pino({ level: 'silent' });
    await eraseAccountJob({ db, queue, store, mailer, log, now, vaultRoot: null })(
      { accountId: owner.id },
      signal,
    );
    expect(await rows()).toEqual([]);
    expect(await db.selectFrom('vector_revisions').selectAll().execute()).toEqual([]);
  });

  it('does not depend on the model: closed accounts are omitted', async () => {
    await addRecording('One.');
    await server.db.updateTable('accounts').set({ closed_at: server.now() }).execute();
    expect(await update()).toEqual({ vectors: 0, failed: [] });
    expect(getRequested()).toEqual([]);
  });
});

describe('failures', () => {
  /** Makes the service reject requests with a text that contains the word "unspeakable". */
  const refuse = () => {
    service.refusedTexts = /unspeakable/;
  };

  it('of a single text omit only its vector, and are retried later', async () => {
    refuse();
    const { id } = await addRecording('One.', 'An unspeakable word?', 'Three.', 'Four.');
    const good = await addRecording('Five.');
    const index = createIndex();
    const { vectors, failed } = await update(index);
    expect(vectors).toBe(3);
    expect(failed).toMatchObject([{ recordingId: id, reason: { code: 'text-refused' } }]);
    expect(await findRow(id)).toMatchObject({
      ...{ failures: 1, computed_rev: -1 },
      vectors: packed('One.', 'Four.'),
    });
    expect(await findRow(good.id)).toMatchObject({ failures: 0, vectors: packed('Five.') });
    const retried = (await findRow(id))?.retry_at.getTime() ?? 0;
    expect(retried - Date.now()).toBeGreaterThan(30_000);
    expect(await update(index)).toEqual({ vectors: 0, failed: [] });
    service.refusedTexts = null;
    await server.db.updateTable('passage_vectors').set({ retry_at: new Date() }).execute();
    expect(await update(index)).toEqual({ vectors: 2, failed: [] });
    expect(await findRow(id)).toMatchObject({ failures: 0 });
    expect(await index.countMissing(signal)).toBe(0);
  });

  it('of the service stop the run, and the job pauses longer each time', async () => {
    await addRecording('One.');
    const errors: unknown[] = [];
    const infos: unknown[] = [];
    let time = Date.parse('2026-03-02T09:00:00Z');
    const log = {
      error: (entry: unknown) => void errors.push(entry),
      warn: () => undefined,
      info: (entry: unknown) => void infos.push(entry),
    };
    const job = embedPassagesJob(createIndex(), log, () => new Date(time));
    const run = () => job({}, signal);
    service.faults.push(refusals.wrongKey, refusals.quota);
    await run();
    await run();
    time += 61_000;
    await run();
    expect(errors).toMatchObject([
      { code: 'access-refused', retrySeconds: 60 },
      { code: 'quota-exhausted', retrySeconds: 120 },
    ]);
    time += 61_000;
    await run();
    expect(await rows()).toMatchObject([{ model: null }]);
    time += 60_000;
    await run();
    expect(infos).toEqual([{ vectors: 1 }]);
    expect(await rows()).toMatchObject([{ model: 'openai/small:64' }]);
  });

  it('of all texts count as failures of the service', async () => {
    await addRecording('One.');
    await addRecording('Two.');
    const index = createIndex();
    service.refusedTexts = /./;
    await expect(update(index)).rejects.toMatchObject({ code: 'text-refused' });
    expect((await rows()).map(({ failures }) => failures)).toEqual([0, 0]);
  });

  it('can’t occur without an engine or recordings, because no requests are sent', async () => {
    await embedPassagesJob(null, { error: fail, warn: fail, info: fail }, server.now)({}, signal);
    await update();
    expect(service.embeddings).toHaveLength(0);
  });
});

function fail(): never {
  throw new Error('nothing should have been logged');
}

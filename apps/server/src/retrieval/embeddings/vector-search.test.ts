import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startClock } from '../../../test/openai/clock.ts';
import {
  type FakeOpenAi,
  fakeOpenAiKey,
  refusals,
  startOpenAi,
} from '../../../test/openai/service.ts';
import { type Account, startTestServer, type TestServer } from '../../../test/server.ts';
import { transcribe } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { createOpenAiEmbedder } from '../../providers/embedding/openai/index.ts';
import { createBitCache } from './cache.ts';
import { createVectorIndex } from './vector-index.ts';
import { createVectorSearch, type VectorSearchDependencies } from './vector-search.ts';

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
  Object.assign(service, { hold: Promise.resolve(), dimensions: 256 });
  for (const list of [service.embeddings, service.faults]) list.length = 0;
  owner = await server.register();
});

const createEmbedder = (model = 'small') =>
  createOpenAiEmbedder({
    ...{ baseUrl: service.url, apiKey: fakeOpenAiKey, model, clock: startClock() },
    prefixes: { passage: '', question: '' },
  });
const { signal } = new AbortController();
const index = (model?: string) =>
  createVectorIndex(server.db, createEmbedder(model)).update(Number.POSITIVE_INFINITY, signal);

/** Paragraphs about unrelated subjects. */
const others = Array.from(
  { length: 12 },
  (_, number) => `Good morning everybody, number ${number}.`,
);
async function addRecording(texts: readonly string[], account = owner) {
  const { id } = await uploadRecording(server, account, toneWave(3, 8000), { ext: 'wav' });
  const { taskId } = await transcribe(server, account, id, texts);
  return { id, taskId };
}

function openVectorSearch(options: Partial<VectorSearchDependencies> = {}) {
  const logged: unknown[] = [];
  const cache = createBitCache(server.db);
  const found = createVectorSearch({
    ...{ db: server.db, embedder: createEmbedder(), cache, limitMs: 60_000 },
    log: {
      warn: (entry: unknown) => void logged.push(entry),
      error: (entry: unknown) => void logged.push(entry),
    },
    ...options,
  });
  return { ...found, logged, cache };
}
const question = 'The watermelon harvester?';
const answer = 'Watermelons were harvested in September.';

describe('the nearest paragraphs', () => {
  it('resemble the question more than other paragraphs, closest first', async () => {
    const { id, taskId } = await addRecording([...others, answer, ...others]);
    await index();
    const found = await openVectorSearch().find(owner.id, question, 'all');
    expect(found[0]).toMatchObject({ recordingId: id, taskId, ordinal: others.length });
    expect(found.length).toBeLessThan(4);
    expect(found.map(({ standardScore }) => standardScore)).toEqual(
      found.map(({ standardScore }) => standardScore).toSorted((a, b) => b - a),
    );
    expect(await openVectorSearch().find(owner.id, 'Qqq zzz xxx?', 'all')).toEqual([]);
  });

  it('are in the selected recordings, not in the recycle bin, and of no other account', async () => {
    const texts = [...others, answer];
    const [first, second] = [await addRecording(texts), await addRecording(texts)];
    const otherUser = await server.register();
    const foreign = await addRecording(texts, otherUser);
    await index();
    const { find } = openVectorSearch();
    const ids = async (recordings: Parameters<typeof find>[2]) =>
      new Set((await find(owner.id, question, recordings)).map(({ recordingId }) => recordingId));
    expect(await ids('all')).toEqual(new Set([first.id, second.id]));
    expect(await ids({ only: [first.id, foreign.id] })).toEqual(new Set([first.id]));
    expect(await ids({ except: [first.id] })).toEqual(new Set([second.id]));
    await server.call('radio/delete', { id: second.id }, { token: owner.access });
    expect(await ids('all')).toEqual(new Set([first.id]));
    expect((await find(otherUser.id, question, 'all'))[0]).toMatchObject({
      recordingId: foreign.id,
    });
  });

  it('follow changes and erasure', async () => {
    const { id } = await addRecording([...others, 'Nothing.']);
    await index();
    const { find, cache } = openVectorSearch();
    expect(await find(owner.id, question, 'all')).toEqual([]);
    await transcribe(server, owner, id, [...others, answer]);
    await index();
    expect(await find(owner.id, question, 'all')).toMatchObject([{ ordinal: others.length }]);
    const used = cache.bytes();
    await server.call('radio/delete', { id }, { token: owner.access });
    await server.call('radio/batchDelete', { ids: [id] }, { token: owner.access });
    expect(await find(owner.id, question, 'all')).toEqual([]);
    expect(used).toBeGreaterThan(0);
    expect(cache.bytes()).toBe(0);
  });

  it('have vectors of the same model as the question', async () => {
    await addRecording([...others, answer]);
    await index();
    const { find } = openVectorSearch({ embedder: createEmbedder('large') });
    expect(await find(owner.id, question, 'all')).toEqual([]);
    await index('large');
    expect(await find(owner.id, question, 'all')).toHaveLength(1);
  });

  it('are unknown in a library of a few sentences', async () => {
    await addRecording(['Good morning.', answer]);
    await index();
    expect(await openVectorSearch().find(owner.id, question, 'all')).toEqual([]);
  });
});

describe('without a response from the engine', () => {
  it('nothing is found, a code is logged, and the engine receives no requests for a while', async () => {
    await addRecording([...others, answer]);
    await index();
    service.faults.push(refusals.wrongKey);
    const { find, logged } = openVectorSearch({ pauseMs: 60_000 });
    service.embeddings.length = 0;
    expect(await find(owner.id, question, 'all')).toEqual([]);
    expect(await find(owner.id, question, 'all')).toEqual([]);
    expect(logged).toMatchObject([{ code: 'access-refused', reason: '401 invalid_api_key' }]);
    expect(JSON.stringify(logged)).not.toContain('watermelon');
    expect(service.embeddings).toEqual([]);
  });

  it('nothing is found after the timeout, and the search works again after the pause', async () => {
    await addRecording([...others, answer]);
    await index();
    const hold = Promise.withResolvers<void>();
    service.hold = hold.promise;
    const { find, logged } = openVectorSearch({ limitMs: 20, pauseMs: 0 });
    expect(await find(owner.id, question, 'all')).toEqual([]);
    expect(logged).toMatchObject([{ code: 'late' }]);
    hold.resolve();
    await expect.poll(() => find(owner.id, question, 'all')).toHaveLength(1);
  });
});

describe('the cache', () => {
  it('evicts the least recently used account', async () => {
    const second = await server.register();
    const third = await server.register();
    for (const account of [owner, second, third]) await addRecording(others, account);
    await index();
    const { model } = await createEmbedder().embed({ kind: 'passage', texts: ['x'] });
    const alone = createBitCache(server.db);
    await alone.get(owner.id, model);
    const cache = createBitCache(server.db, { maxBytes: alone.bytes() * 2 });
    for (const { id } of [owner, second, owner, third]) await cache.get(id, model);
    expect(cache.bytes()).toBe(alone.bytes() * 2);
    // The owner's sign bits are still cached: they are the same object.
    const [kept] = await cache.get(owner.id, model);
    expect(await cache.get(second.id, model)).toHaveLength(1);
    expect(cache.bytes()).toBe(alone.bytes() * 2);
    expect((await cache.get(owner.id, model))[0]).toBe(kept);
    await cache.get(third.id, model);
    await cache.get(second.id, model);
    expect((await cache.get(owner.id, model))[0]).not.toBe(kept);
  });

  it('keeps the latest recordings of an account that exceeds it', async () => {
    const ids = [];
    for (let count = 0; count < 4; count += 1) {
      ids.push((await addRecording(others)).id);
      await index();
    }
    const { model } = await createEmbedder().embed({ kind: 'passage', texts: ['x'] });
    const unlimitedCache = createBitCache(server.db);
    expect(await unlimitedCache.get(owner.id, model)).toHaveLength(4);
    const cache = createBitCache(server.db, { maxBytes: unlimitedCache.bytes() / 2 });
    const loadCached = async () =>
      (await cache.get(owner.id, model)).map(({ recordingId }) => recordingId).sort();
    expect(await loadCached()).toEqual(ids.slice(2).sort());
    ids.push((await addRecording(others)).id);
    await index();
    expect(await loadCached()).toEqual(ids.slice(3).sort());
    const token = { token: owner.access };
    await server.call('radio/delete', { id: ids[4] }, token);
    await server.call('radio/batchDelete', { ids: [ids[4]] }, token);
    expect(await loadCached()).toEqual([ids[3]]);
  });

  it('reads an account only once for concurrent questions', async () => {
    await addRecording(others);
    await index();
    const { model } = await createEmbedder().embed({ kind: 'passage', texts: ['x'] });
    const cache = createBitCache(server.db);
    const [first, second] = await Promise.all([
      cache.get(owner.id, model),
      cache.get(owner.id, model),
    ]);
    expect(first).toHaveLength(1);
    expect(first[0]).toBe(second[0]);
  });
});

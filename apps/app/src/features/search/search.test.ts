import { writable } from '@linnet/base';
import { createClient } from '@linnet/contract/client';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import { describe, expect, it, vi } from 'vitest';
import type { SearchResults } from '../../ports/search.ts';
import { createSearch } from './search.ts';

const uid = 'owner';
const audio = {
  sha256: 'ab'.repeat(32),
  bytes: 1,
  seconds: 1,
  peaks: new Uint8Array(),
  localfile: 'x.wav',
};
const createDate = '2026-01-01T00:00:00.000Z';

/** Returns a row of the server's response, with the fields that the app reads. */
const createRow = (id: string, name: string) => ({
  id: `server-${id}`,
  client_flag: id,
  name,
  ai_title: '',
  recorded_at: createDate,
  total_time: 60,
  matches: [{ where: 'name', text: name, start: 0, length: 4 }],
  match_count: 1,
});

/**
 * Creates a search on a phone with three recordings.
 * @param serverMatches the recordings that the server finds
 */
async function setUp(serverMatches: readonly (readonly [id: string, name: string])[]) {
  const database = await openNodeSqlite(':memory:');
  await migrate(database);
  const { records, changes, search } = createStores(database);
  for (const id of ['both', 'binned', 'renamed']) {
    const title = id === 'renamed' ? 'Something else' : `Talk ${id}`;
    await records.add({ id, uid, title, createDate, audio });
  }
  await changes.edit(uid, { type: 'recording.bin', recording: 'binned' });
  const server = writable<{ status: 'reachable' | 'unreachable' }>({ status: 'reachable' });
  const list = serverMatches.map(([id, name]) => createRow(id, name));
  const requests: string[] = [];
  const client = createClient({
    baseUrl: 'http://server.test',
    fetch: async (_, init) => {
      init?.signal?.throwIfAborted();
      if (server.get().status === 'unreachable') throw new TypeError('no network');
      requests.push(JSON.parse(String(init?.body)).keyword);
      const data = { list, total: list.length, page: 1, limit: 50 };
      return new Response(JSON.stringify({ code: 0, msg: '', data }));
    },
  });
  const service = createSearch({
    search,
    client,
    server,
    uid: () => uid,
    watch: records.subscribe,
    clock: { sleep: async (_, signal) => signal.throwIfAborted() },
    backlog: writable({ remaining: 0, total: 0 }),
    onError: (error) => {
      throw error;
    },
  });
  return { service, server, records, requests };
}

/** Waits until the results satisfy a condition, then returns them. */
async function waitForResults(
  live: ReturnType<Awaited<ReturnType<typeof setUp>>['service']['find']>,
  condition: (results: SearchResults) => boolean,
): Promise<SearchResults> {
  return vi.waitFor(() => {
    const state = live.get();
    if (state.status !== 'ready' || !condition(state.value)) throw new Error('not yet');
    return state.value;
  }, 60_000);
}

describe('search on the phone and the server', () => {
  it('adds the matches found only by the server, except deleted recordings', async () => {
    const { service } = await setUp([
      ['both', 'Talk both'],
      ['binned', 'Talk binned'],
      ['far', 'Talk far'],
      ['renamed', 'Talk, renamed elsewhere'],
    ]);
    const live = service.find('talk', 10);
    const stop = live.subscribe(() => {});
    const all = await waitForResults(live, ({ server }) => server === 'done');
    expect(all.found.map(({ id }) => id)).toEqual(['both']);
    expect(all.elsewhere.map(({ id, onPhone }) => [id, onPhone])).toEqual([
      ['far', false],
      ['renamed', true],
    ]);
    stop();
  });

  it('shows a match once if the recording is added to the phone later', async () => {
    const { service, records } = await setUp([['far', 'Talk far']]);
    const live = service.find('talk', 10);
    const stop = live.subscribe(() => {});
    await waitForResults(live, ({ elsewhere }) => elsewhere.length === 1);
    await records.add({ id: 'far', uid, title: 'Talk far', createDate, audio });
    const all = await waitForResults(live, ({ elsewhere }) => elsewhere.length === 0);
    expect(all.found.map(({ id }) => id).sort()).toEqual(['both', 'far']);
    stop();
  });

  it('reports an unreachable server and searches it once it is reachable', async () => {
    const { service, server } = await setUp([['far', 'Talk far']]);
    server.set({ status: 'unreachable' });
    const live = service.find('talk', 10);
    const stop = live.subscribe(() => {});
    const phoneOnly = await waitForResults(live, (found) => found.server === 'unreachable');
    expect(phoneOnly.found).toHaveLength(1);
    server.set({ status: 'reachable' });
    const completeResults = await waitForResults(live, (found) => found.server === 'done');
    expect(completeResults.elsewhere).toHaveLength(1);
    stop();
  });

  it('does not send a canceled search to the server', async () => {
    const { service, requests } = await setUp([]);
    service.find('tal', 10).subscribe(() => {})();
    const live = service.find('talk', 10);
    const stop = live.subscribe(() => {});
    await waitForResults(live, ({ server }) => server === 'done');
    expect(requests).toEqual(['talk']);
    stop();
  });
});

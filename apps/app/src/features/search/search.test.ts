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

/** A row as the server returns it, with the fields that are read. */
const row = (id: string, name: string) => ({
  ...{ id: `server-${id}`, client_flag: id, name, ai_title: '', recorded_at: createDate },
  ...{ total_time: 60, matches: [{ where: 'name', text: name, start: 0, length: 4 }] },
  match_count: 1,
});

/** A phone with some recordings, and a server that finds some. */
async function phone(onServer: readonly (readonly [id: string, name: string])[]) {
  const database = await openNodeSqlite(':memory:');
  await migrate(database);
  const { records, changes, search } = createStores(database);
  for (const id of ['both', 'binned', 'unlike']) {
    const title = id === 'unlike' ? 'Something else' : `Talk ${id}`;
    await records.add({ id, uid, title, createDate, audio });
  }
  await changes.edit(uid, { type: 'recording.bin', recording: 'binned' });
  const server = writable<{ status: 'reachable' | 'unreachable' }>({ status: 'reachable' });
  const list = onServer.map(([id, name]) => row(id, name));
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
    ...{ search, client, server, uid: () => uid, watch: records.subscribe },
    clock: { sleep: async (_, signal) => signal.throwIfAborted() },
    backlog: writable({ left: 0, of: 0 }),
    onError: (error) => {
      throw error;
    },
  });
  return { service, server, records, requests };
}

/** The results once they satisfy `until`. */
async function results(
  live: ReturnType<Awaited<ReturnType<typeof phone>>['service']['find']>,
  until: (found: SearchResults) => boolean,
): Promise<SearchResults> {
  return vi.waitFor(() => {
    const state = live.get();
    if (state.status !== 'ready' || !until(state.value)) throw new Error('not yet');
    return state.value;
  }, 60_000);
}

describe('search on the phone and the server', () => {
  it('adds the server’s own matches once, except deleted ones', async () => {
    const { service } = await phone([
      ['both', 'Talk both'],
      ['binned', 'Talk binned'],
      ['far', 'Talk far'],
      ['unlike', 'Talk, heard elsewhere'],
    ]);
    const live = service.find('talk', 10);
    const stop = live.subscribe(() => {});
    const all = await results(live, ({ server }) => server === 'done');
    expect(all.found.map(({ id }) => id)).toEqual(['both']);
    expect(all.elsewhere.map(({ id, onPhone }) => [id, onPhone])).toEqual([
      ['far', false],
      ['unlike', true],
    ]);
    stop();
  });

  it('merges recordings that arrive meanwhile', async () => {
    const { service, records } = await phone([['far', 'Talk far']]);
    const live = service.find('talk', 10);
    const stop = live.subscribe(() => {});
    await results(live, ({ elsewhere }) => elsewhere.length === 1);
    await records.add({ id: 'far', uid, title: 'Talk far', createDate, audio });
    const all = await results(live, ({ elsewhere }) => elsewhere.length === 0);
    expect(all.found.map(({ id }) => id).sort()).toEqual(['both', 'far']);
    stop();
  });

  it('reports that only the phone was searched, until the server is back', async () => {
    const { service, server } = await phone([['far', 'Talk far']]);
    server.set({ status: 'unreachable' });
    const live = service.find('talk', 10);
    const stop = live.subscribe(() => {});
    const alone = await results(live, (found) => found.server === 'unreachable');
    expect(alone.found).toHaveLength(1);
    server.set({ status: 'reachable' });
    const both = await results(live, (found) => found.server === 'done');
    expect(both.elsewhere).toHaveLength(1);
    stop();
  });

  it('sends no canceled search to the server', async () => {
    const { service, requests } = await phone([]);
    service.find('tal', 10).subscribe(() => {})();
    const live = service.find('talk', 10);
    const stop = live.subscribe(() => {});
    await results(live, ({ server }) => server === 'done');
    expect(requests).toEqual(['talk']);
    stop();
  });
});

import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { openBrowser, recordingToShare, share } from '../../../test/share.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const token = ({ access }: Account) => ({ token: access });
const list = async (owner: Account, body: object = {}) =>
  (await server.call('share/index', body, token(owner))).data;
const day = 86_400;

/** Runs a check while the server's clock is ahead. */
async function checkLater(seconds: number, check: () => Promise<void>): Promise<void> {
  server.advanceClock(seconds);
  try {
    await check();
  } finally {
    server.advanceClock(-seconds);
  }
}

describe('links to recordings', () => {
  it('are listed newest first with their recording, with paging and filtering by recording', async () => {
    const owner = await server.register();
    const [first, second] = [
      await recordingToShare(server, owner),
      await recordingToShare(server, owner),
    ];
    const a = await share(server, owner, first.id, ['transcript', 'audio'], { expires_days: 7 });
    const b = await share(server, owner, second.id, ['todos'], { password: 'a quiet mill pond' });
    const { list: rows, total } = await list(owner);
    expect(total).toBe(2);
    expect(rows.map(({ id }) => id)).toEqual([b.id, a.id]);
    expect(rows[0]).toMatchObject({
      radio_file_id: second.id,
      title: 'A recording',
      parts: ['todos'],
      has_password: true,
      expires_at: null,
      status: 'valid',
      view_count: 0,
      last_viewed_at: null,
      views: [],
    });
    expect(new URL(rows[1]?.url ?? '').pathname).toBe(a.path);
    expect(rows[1]?.expires_at).not.toBeNull();
    expect((await list(owner, { limit: 1, page: 2 })).list.map(({ id }) => id)).toEqual([a.id]);
    expect((await list(owner, { id: first.id })).list.map(({ id }) => id)).toEqual([a.id]);
    expect((await list(owner, { id: 'no id' })).list).toEqual([]);
    // Neither the URL nor the password can be read from the database.
    const stored = JSON.stringify(await server.db.selectFrom('share_links').selectAll().execute());
    expect(stored).not.toContain(a.path.split('/').at(-1));
    expect(stored).not.toContain('a quiet mill pond');
  });

  it('count one view per page load, and store the times of the latest views', async () => {
    const owner = await server.register();
    const { id } = await recordingToShare(server, owner);
    const link = await share(server, owner, id, ['transcript', 'audio']);
    const reader = openBrowser(server);
    await reader.get(link.path);
    await reader.head(link.path);
    for (const range of ['bytes=0-9', 'bytes=10-19', 'bytes=20-']) {
      expect((await reader.get(`${link.path}/audio`, { range })).statusCode).toBe(206);
    }
    const [once] = (await list(owner)).list;
    expect(once).toMatchObject({ view_count: 1, views: [once?.last_viewed_at] });
    const rows = server.db.updateTable('share_links').where('id', '=', link.id);
    const fullViews = Array.from({ length: limits.shares.views }, () => '2026-01-01T00:00:00.000Z');
    await rows.set({ view_count: 500, views: JSON.stringify(fullViews) }).execute();
    await reader.get(link.path);
    const [again] = (await list(owner)).list;
    expect(again?.view_count).toBe(501);
    expect(again?.views).toHaveLength(limits.shares.views);
    expect(Date.parse(again?.views[0] ?? '')).toBeGreaterThan(Date.parse('2026-01-01'));
    expect(again?.views[1]).toBe(fullViews[0]);
    // Only the times are stored.
    const row = await server.db
      .selectFrom('share_links')
      .selectAll()
      .where('id', '=', link.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain('203.0.113');
    expect(server.logged.join()).not.toContain(link.path.slice(3));
  });

  it('require a membership to be created, but not to be listed or opened', async () => {
    const owner = await server.register();
    const { id } = await recordingToShare(server, owner);
    const link = await share(server, owner, id, ['transcript']);
    await server.db
      .updateTable('accounts')
      .set({ vip_expires_at: new Date(0), vip_renews: false })
      .where('id', '=', owner.id)
      .execute();
    const { code } = await server.call('share/create', { id, parts: ['todos'] }, token(owner));
    expect(code).toBe(codes.membersOnly);
    expect((await list(owner)).total).toBe(1);
    expect((await openBrowser(server).get(link.path)).statusCode).toBe(200);
  });

  it('cannot share missing audio or recordings in the recycle bin', async () => {
    const owner = await server.register();
    const { id } = await recordingToShare(server, owner);
    const fetchCode = async (parts: string[]) =>
      (await server.call('share/create', { id, parts }, token(owner))).code;
    const recording = server.db.updateTable('recordings').where('id', '=', id);
    await recording.set({ lost_at: server.now() }).execute();
    expect(await fetchCode(['transcript', 'audio'])).toBe(codes.notUploaded);
    expect(await fetchCode(['transcript'])).toBe(codes.ok);
    await server.call('radio/delete', { id }, token(owner));
    expect(await fetchCode(['transcript'])).toBe(codes.notFound);
    expect((await list(owner)).list[0]?.status).toBe('binned');
  });

  it('are limited in number, and expired links are deleted to make space', async () => {
    const owner = await server.register();
    const { id } = await recordingToShare(server, owner);
    await share(server, owner, id, ['todos'], { expires_days: 1 });
    const row = await server.db
      .selectFrom('share_links')
      .selectAll()
      .where('account_id', '=', owner.id)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: limits.shares.count - 1 }, () => ({
      id: crypto.randomUUID(),
      account_id: owner.id,
      recording_id: id,
      parts: JSON.stringify(row.parts),
      expires_at: null,
    }));
    await server.db.insertInto('share_links').values(copies).execute();
    const create = async () =>
      (await server.call('share/create', { id, parts: ['todos'] }, token(owner))).code;
    expect(await create()).toBe(codes.limitReached);
    await checkLater(day + 1, async () => {
      // The access token has also expired.
      const { data } = await server.call('user/login', {
        email: owner.email,
        password: owner.password,
      });
      const newToken = { token: data.access_token };
      const { code } = await server.call('share/create', { id, parts: ['todos'] }, newToken);
      expect(code).toBe(codes.ok);
      expect((await server.call('share/index', {}, newToken)).data.total).toBe(limits.shares.count);
    });
  });

  it('are erased with their recording and with their account', async () => {
    const owner = await server.register();
    const [first, second] = [
      await recordingToShare(server, owner),
      await recordingToShare(server, owner),
    ];
    await share(server, owner, first.id, ['todos']);
    const keptShare = await share(server, owner, second.id, ['todos']);
    const loadLinkIds = async () =>
      (
        await server.db
          .selectFrom('share_links')
          .select('id')
          .where('account_id', '=', owner.id)
          .orderBy('id')
          .execute()
      ).map(({ id }) => id);
    await server.call('radio/batchDelete', { ids: [first.id] }, token(owner));
    expect(await loadLinkIds()).toEqual([keptShare.id]);
    await server.db.deleteFrom('accounts').where('id', '=', owner.id).execute();
    expect(await loadLinkIds()).toEqual([]);
  });
});

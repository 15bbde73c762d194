import { codes } from '@linnet/contract/codes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { createPhone } from '../../../test/sync.ts';
import { transcribedRecording } from '../../../test/transcripts.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const read = (url: string | null | undefined) => {
  const { pathname, search } = new URL(url ?? 'none:');
  return server.app.inject(pathname + search);
};
const detail = async (account: Account, id: string) =>
  (await server.call('task/detail', { id }, { token: account.access })).data;

describe('a task’s mind map', () => {
  it('is available as an XMind file, an outline and a picture, each with the current edits', async () => {
    const owner = await server.register();
    const phone = createPhone(server, owner);
    const { id, clientFlag } = await transcribedRecording(server, owner);
    const { xmind_url, mind_src_url, mind_pic_url } = await detail(owner, id);
    const changes = await phone.everything();
    expect(changes.find(({ kind }) => kind === 'task')).toMatchObject({
      task: { xmind_url, mind_src_url, mind_pic_url },
    });
    for (const topic of ['A heron', 'Zwei Reiher & <Möwen>']) {
      const [xmind, outline, picture] = await Promise.all(
        [xmind_url, mind_src_url, mind_pic_url].map(read),
      );
      expect(xmind?.headers['content-type']).toBe('application/vnd.xmind.workbook');
      expect(xmind?.rawPayload.subarray(0, 2).toString()).toBe('PK');
      expect(xmind?.rawPayload.toString()).toContain(`"title":"${topic}","titleUnedited"`);
      expect(outline?.headers['content-type']).toBe('text/markdown; charset=utf-8');
      expect(outline?.body.replaceAll('\\', '')).toBe(`# ${topic}\n`);
      expect(picture?.headers['content-type']).toBe('image/svg+xml; charset=utf-8');
      expect(picture?.body).toMatch(/^<\?xml .*\n<svg [^>]*>\n<title>/);
      expect(picture?.body).toContain(topic.replace('&', '&amp;').replace(/<(.*)>/, '&lt;$1&gt;'));
      await phone.applyOne({
        type: 'recording.mindMap',
        recording: clientFlag,
        mind_map: [{ id: 'a', parentid: '', topic: 'Zwei Reiher & <Möwen>' }],
      });
    }
  });

  it('has no files when it is empty', async () => {
    const owner = await server.register();
    const { id, taskId } = await transcribedRecording(server, owner);
    await server.db
      .updateTable('tasks')
      .set({ xmind_json: null })
      .where('id', '=', taskId)
      .execute();
    expect(await detail(owner, id)).toMatchObject({
      xmind_url: null,
      mind_src_url: null,
      mind_pic_url: null,
    });
  });

  it('cannot be read with a forged URL, after the session has ended, or once deleted', async () => {
    const owner = await server.register();
    const { id } = await transcribedRecording(server, owner);
    const other = await transcribedRecording(server, owner);
    const { xmind_url: url } = await detail(owner, id);
    const { xmind_url: otherUrl } = await detail(owner, other.id);
    const path = new URL(url ?? '').pathname;
    for (const forged of [
      path,
      path.replace('.xmind', '.svg') + new URL(url ?? '').search,
      path + new URL(otherUrl ?? '').search,
    ]) {
      expect((await server.app.inject(forged)).statusCode).toBe(403);
    }
    server.advanceClock(8 * 3600);
    expect((await read(url)).statusCode).toBe(403);
    server.advanceClock(-8 * 3600);
    expect((await read(url)).statusCode).toBe(200);
    const token = { token: owner.access };
    expect((await server.call('radio/batchDelete', { ids: [id] }, token)).code).toBe(codes.ok);
    expect((await read(url)).statusCode).toBe(404);
    expect((await read(otherUrl)).statusCode).toBe(200);
    await server.call('user/logout', undefined, token);
    expect((await read(otherUrl)).statusCode).toBe(403);
  });
});

import type { KeyScope } from '@linnet/contract/key-scopes';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { createPhone } from '../../../test/sync.ts';
import { transcribe, transcribedRecording } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { defaultMessages } from '../../http/failure.ts';
import { mcpPath } from './routes.ts';

let server: TestServer;
let origin: string;
const clients: Client[] = [];
beforeAll(async () => {
  server = await startTestServer();
  const { port } = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }));
  origin = `http://localhost:${port}`;
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await server.close();
});

const createKey = async (owner: Account, scopes: KeyScope[]) =>
  (await server.call('user/createKey', { name: 'Assistant', scopes }, { token: owner.access }))
    .data;

/** Connects the protocol's official client. */
async function connect(token: string, versionNegotiation?: { mode: 'auto' | 'legacy' }) {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    versionNegotiation && { versionNegotiation },
  );
  clients.push(client);
  const authProvider = { token: async () => token };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(mcpPath, origin), { authProvider }),
  );
  return client;
}

/** Calls a tool, and returns its text and whether it failed. */
async function use(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const text = content.map((block) => ('text' in block ? block.text : '')).join('\n');
  return { text, failed: isError === true };
}

const todo = {
  id: 'todo-1',
  text: 'Anna orders the seeds.',
  start_time: 1,
  who: 'Anna',
  when: 'Friday',
  due: '2026-06-12',
};

/** Uploads a recording with a transcript of two speakers and a to-do. */
async function createMeeting(owner: Account) {
  const { id, client_flag: flag } = await uploadRecording(server, owner, toneWave(3, 8000), {
    ext: 'wav',
  });
  const texts = ['We need seeds for the garden.', 'I order the seeds by Friday.'];
  const todos = [{ ...todo, paragraph_id: crypto.randomUUID() }];
  await transcribe(server, owner, id, texts, ['1', '2'], todos, { language: 'en' });
  const head = { op_id: crypto.randomUUID(), base_rev: 0, at: server.now().toISOString() };
  const op = { ...head, type: 'recording.speaker', recording: flag, speaker: '2', name: 'Anna' };
  await server.call('sync/apply', { ops: [op] } as never, { token: owner.access });
  return { id, flag };
}

describe.each(['auto', 'legacy'] as const)('the MCP server, with a client in mode %s', (mode) => {
  it('reads recordings with a read-only key', async () => {
    const owner = await server.register();
    const { id, flag } = await createMeeting(owner);
    const client = await connect((await createKey(owner, ['read'])).key, { mode });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'search_recordings',
      'ask',
      'list_recordings',
      'get_transcript',
      'get_summary',
      'list_todos',
    ]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);

    const found = await use(client, 'search_recordings', { query: 'seeds garden' });
    expect(found.text).toMatch(/^1 recordings\nA recording \(/);
    expect(found.text).toContain('[0:00] We need seeds for the garden.');
    const answer = await use(client, 'ask', { question: 'Who orders the seeds by Friday?' });
    expect(answer.text).toContain('[0:01] Anna: I order the seeds by Friday.');
    expect(answer.text).toContain(`id: ${id}`);
    expect((await use(client, 'ask', { question: 'Zebras?' })).text).toBe('No passages');
    expect((await use(client, 'list_recordings')).text).toContain(`id: ${id}`);
    const archiving = { type: 'recording.archive', recording: flag };
    await createPhone(server, owner).applyOne({ ...archiving, on: true });
    expect((await use(client, 'list_recordings')).text).toBe('0 recordings');
    expect((await use(client, 'search_recordings', { query: 'seeds' })).text).toContain(id);
    await createPhone(server, owner).applyOne({ ...archiving, on: false });
    const { text: transcript } = await use(client, 'get_transcript', { recording_id: id });
    expect(transcript).toContain('[0:00] Speaker 1: We need seeds for the garden.');
    expect(transcript).toContain('[0:01] Anna: I order the seeds by Friday.');
    const part = await use(client, 'get_transcript', { recording_id: id, from_seconds: 1.5 });
    expect(part.text).not.toContain('We need seeds');
    const { text: summary } = await use(client, 'get_summary', { recording_id: id });
    expect(summary).toContain('A heron waits.');
    const line = '[ ] Anna orders the seeds. (Anna; 2026-06-12; at 0:01) id: todo-1';
    expect(summary).toContain(line);
    expect((await use(client, 'list_todos')).text).toContain(line);

    await expect(
      client.callTool({ name: 'rename_recording', arguments: { recording_id: id, title: 'X' } }),
    ).rejects.toThrow();
  });

  it('changes recordings with a key that has the scope `write`', async () => {
    const owner = await server.register();
    const { id } = await createMeeting(owner);
    const client = await connect((await createKey(owner, ['read', 'write'])).key, { mode });
    const target = { recording_id: id };
    const done = await use(client, 'complete_todo', { ...target, todo_id: 'todo-1' });
    expect(done.text).toContain('[x] Anna orders the seeds.');
    expect((await use(client, 'list_todos')).text).toBe('No to-dos');
    expect((await use(client, 'list_todos', { include_done: true })).text).toContain('[x] Anna');
    const renamed = await use(client, 'rename_recording', { ...target, title: 'Garden' });
    expect(renamed.text).toContain('Garden (');
    const tagged = await use(client, 'tag_recording', { ...target, tag: 'home' });
    expect(tagged.text).toContain('tags: home');
    const { data } = await server.call('task/index', { ids: [id] }, { token: owner.access });
    expect(data.list[0]).toMatchObject({ name: 'Garden', tags: ['home'] });
    const untagged = await use(client, 'tag_recording', { ...target, tag: 'home', present: false });
    expect(untagged.text).not.toContain('tags:');
    expect(await use(client, 'complete_todo', { ...target, todo_id: 'none' })).toMatchObject({
      failed: true,
    });
  });

  it("reveals nothing about another account's recordings", async () => {
    const [owner, other] = [await server.register(), await server.register()];
    const theirRecording = await transcribedRecording(server, other);
    const client = await connect((await createKey(owner, ['read', 'write'])).key, { mode });
    const absentId = crypto.randomUUID();
    for (const [name, args] of [
      ['get_transcript', {}],
      ['get_summary', {}],
      ['complete_todo', { todo_id: 'todo-1' }],
      ['rename_recording', { title: 'Mine' }],
      ['tag_recording', { tag: 'mine' }],
    ] as const) {
      const foreignResult = await use(client, name, { recording_id: theirRecording.id, ...args });
      expect(foreignResult, name).toMatchObject({ failed: true });
      expect(foreignResult, name).toEqual(
        await use(client, name, { recording_id: absentId, ...args }),
      );
    }
    const search = await use(client, 'search_recordings', { query: theirRecording.secret });
    expect(search.text).toBe('0 recordings');
    const answer = await use(client, 'ask', { question: theirRecording.secret });
    expect(answer.text).toBe('No passages');
    expect((await use(client, 'list_recordings')).text).toBe('0 recordings');
    expect((await use(client, 'list_todos')).text).toBe('No to-dos');
  });
});

describe('the MCP server', () => {
  it('returns a long transcript in parts', async () => {
    const owner = await server.register();
    const { id } = await uploadRecording(server, owner, toneWave(3, 8000), { ext: 'wav' });
    const texts = Array.from({ length: 10 }, (_, n) => `Part ${n}. ${'word '.repeat(2000)}`);
    await transcribe(server, owner, id, texts);
    const client = await connect((await createKey(owner, ['read'])).key);
    const parts: string[] = [];
    let first: number | undefined = 0;
    while (first !== undefined) {
      const { text } = await use(client, 'get_transcript', {
        recording_id: id,
        from_paragraph: first,
      });
      parts.push(text);
      expect(text.length).toBeLessThan(65_000);
      const next = /continues with from_paragraph: (\d+)/.exec(text)?.[1];
      first = next === undefined ? undefined : Number(next);
    }
    const all = parts.join('\n');
    for (let n = 0; n < texts.length; n++) expect(all.split(`Part ${n}.`)).toHaveLength(2);
  });

  it('does not keep streams open for subscriptions', async () => {
    const owner = await server.register();
    const client = await connect((await createKey(owner, ['read'])).key, { mode: 'auto' });
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow();
    expect((await use(client, 'list_recordings')).failed).toBe(false);
  });

  it('also lists the open to-dos of older recordings', async () => {
    const owner = await server.register();
    const meetings = [];
    for (let n = 0; n < 22; n++) meetings.push(await createMeeting(owner));
    const ops = meetings.slice(1).map(({ flag: recording }) => ({
      op_id: crypto.randomUUID(),
      base_rev: 0,
      at: server.now().toISOString(),
      type: 'recording.tick' as const,
      recording,
      item: 'todo-1',
      done: true,
    }));
    await server.call('sync/apply', { ops }, { token: owner.access });
    const client = await connect((await createKey(owner, ['read'])).key);
    expect((await use(client, 'list_todos')).text).toContain(`id: ${meetings[0]?.id}`);
    const all = await use(client, 'list_todos', { include_done: true });
    const secondPage = await use(client, 'list_todos', { include_done: true, page: 2 });
    const countTodos = ({ text }: { text: string }) => text.split('id: todo-1').length - 1;
    expect([countTodos(all), countTodos(secondPage)]).toEqual([20, 2]);
  });

  it('accepts access tokens, but no batches', async () => {
    const owner = await server.register();
    const client = await connect(owner.access);
    expect((await client.listTools()).tools).toHaveLength(9);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const response = await fetch(new URL(mcpPath, origin), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${owner.access}`,
      },
      body: JSON.stringify([message, message]),
    });
    expect(response.status).toBe(400);
    await response.body?.cancel();
  });

  it("doesn't reveal the cause of an internal error", async () => {
    const owner = await server.register();
    const client = await connect((await createKey(owner, ['read'])).key);
    await sql`alter table paragraphs rename to moved`.execute(server.db);
    try {
      const { text, failed } = await use(client, 'search_recordings', { query: 'seeds' });
      expect([text, failed]).toEqual([defaultMessages.internal, true]);
    } finally {
      await sql`alter table moved rename to paragraphs`.execute(server.db);
    }
  });

  it('checks the token before it reads the body', async () => {
    const response = await fetch(new URL(mcpPath, origin), { method: 'POST', body: '{' });
    expect(response.status).toBe(401);
    await response.body?.cancel();
  });

  it('accepts only keys with the scope `read`', async () => {
    const owner = await server.register();
    const { key: writeOnly } = await createKey(owner, ['write']);
    const { id, key: revoked } = await createKey(owner, ['read']);
    await server.call('user/revokeKey', { id }, { token: owner.access });
    const fetchStatus = async (token?: string) => {
      const response = await fetch(new URL(mcpPath, origin), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      await response.body?.cancel();
      return { status: response.status, challenge: response.headers.get('www-authenticate') };
    };
    for (const token of [undefined, 'nonsense', `linnet_${'a'.repeat(43)}`, revoked]) {
      expect(await fetchStatus(token)).toEqual({ status: 401, challenge: 'Bearer' });
    }
    expect(await fetchStatus(writeOnly)).toEqual({ status: 403, challenge: null });
  });
});

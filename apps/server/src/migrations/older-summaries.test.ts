import { codes } from '@linnet/contract/codes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Account, TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import { createPhone } from '../../test/sync.ts';
import { transcribedRecording } from '../../test/transcripts.ts';
import { up } from './0004-older-summaries.ts';

let server: TestServer;
let owner: Account;
beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterAll(() => server.close());

/** A summary written by the first version of the built-in analyzer. */
const item = { id: 'todos-1', text: 'Call Miriam.', paragraph_id: 'p1', start_time: 1.5 };
const older = {
  version: 1,
  engine: 'builtin',
  language: 'en',
  structures: { general: { sections: [{ heading: 'overview', items: [item] }] } },
  ...{ todos: [item, { ...item, id: 'todos-2' }], knowledge_points: [], needs: [] },
  ...{ questions: [], finance: [], timeline: [], topics: [] },
  looked_for: ['todos', 'questions'],
};

it('sends a migrated older summary to phones without loss', async () => {
  const { taskId: task } = await transcribedRecording(server, owner);
  await server.db
    .updateTable('tasks')
    .set({ summary_json: JSON.stringify(older) })
    .where('id', '=', task)
    .execute();
  await up(server.db as never);
  const response = await server.call('task/detail', { id: task }, { token: owner.access });
  expect(response.code).toBe(codes.ok);
  const unknown = { who: null, when: null, due: null };
  expect(response.data.summary_json).toEqual({
    ...older,
    kind: 'extractive',
    structure: 'general',
    todos: older.todos.map((todo) => ({ ...todo, ...unknown })),
  });
  const changes = await createPhone(server, owner).everything();
  expect(changes.map(({ kind }) => kind)).toContain('task');
});

it('leaves current summaries unchanged', async () => {
  const { taskId: task } = await transcribedRecording(server, owner);
  const today = { ...older, kind: 'generative', structure: 'call', engine: 'openai/any' };
  const loadStored = () =>
    server.db.selectFrom('tasks').select('summary_json').where('id', '=', task).executeTakeFirst();
  await server.db
    .updateTable('tasks')
    .set({ summary_json: JSON.stringify(today) })
    .where('id', '=', task)
    .execute();
  await up(server.db as never);
  expect(await loadStored()).toEqual({ summary_json: today });
});

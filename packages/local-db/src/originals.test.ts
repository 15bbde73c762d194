import type { Change, Paragraph, RecordingState, Task } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openNodeSqlite } from './adapters/node-sqlite.ts';
import type { SqlDatabase } from './database.ts';
import { migrate } from './migrations.ts';
import { createStores } from './stores.ts';

const [uid, id] = ['owner', 'talk'];
const date = '2026-01-01T00:00:00.000Z';
const recognized: Paragraph = { id: 'p', start_time: 0, end_time: 1, content: 'Heard.', is_tag: 0 };
let database: SqlDatabase;
let stores: ReturnType<typeof createStores>;
let cursor: string | undefined;

async function receive(...changes: Change[]): Promise<void> {
  const next = String(changes.at(-1)?.rev);
  await stores.changes.applyPage(uid, cursor, { changes, cursor: next, more: false });
  cursor = next;
}
const paragraphChange = (rev: number, changed: Partial<Paragraph> = {}): Change => ({
  ...{ kind: 'paragraph', rev, client_flag: id, task_id: 't', ordinal: 0 },
  paragraph: { ...recognized, ...changed },
});
const editText = (content: string) =>
  stores.changes.edit(uid, { type: 'paragraph.edit', recording: id, paragraph: 'p', content });
const readParagraph = async () => (await stores.records.detail(id))?.content[0];

beforeEach(async () => {
  database = await openNodeSqlite(':memory:');
  await migrate(database);
  stores = createStores(database);
  cursor = undefined;
  const recording = {
    ...{ id: 'server', client_flag: id, name: '', ai_title: '', source: 0, url: null, sn: '' },
    ...{ file_size: 0, total_time: 1, tags: [], keywords: [], brief: '', is_del: 0, rev: 1 },
    ...{ recorded_at: date, updated_at: date, task: null, place: null, speakers: {} },
    ...{ markers: [], ticks: {}, mind_map: null },
  } as unknown as RecordingState;
  const task = {
    ...{ id: 't', language: 'en', status: taskStatus.transcribed, title: '', brief: '' },
    ...{ summary: '', summary_json: null, keywords: [], xmind_url: null, xmind_json: null },
    ...{ created_at: date, updated_at: date },
  } as unknown as Task;
  await receive(
    { kind: 'recording', rev: 1, recording },
    { kind: 'task', rev: 2, client_flag: id, task },
    paragraphChange(2),
  );
});
afterEach(() => database.close());

test('retains the recognized text through repeated edits', async () => {
  expect(await readParagraph()).toEqual(recognized);
  await editText('Once.');
  await editText('Twice.');
  expect(await readParagraph()).toEqual({
    ...recognized,
    content: 'Twice.',
    edited: true,
    original: 'Heard.',
  });
});

test('retains the recognized text after an edit on another phone', async () => {
  await receive(paragraphChange(3, { content: 'Elsewhere.', edited: true }));
  expect(await readParagraph()).toMatchObject({ content: 'Elsewhere.', original: 'Heard.' });
  await editText('Here.');
  await receive(paragraphChange(4, { content: 'Later.', edited: true }));
  expect(await readParagraph()).toMatchObject({ content: 'Here.', original: 'Heard.' });
});

test('has no recognized text if the paragraph was edited before the phone received it', async () => {
  await stores.changes.restart(uid);
  await database.query('delete from paragraph');
  cursor = undefined;
  await receive(paragraphChange(5, { content: 'Elsewhere.', edited: true }));
  await editText('Here.');
  expect(await readParagraph()).toEqual({ ...recognized, content: 'Here.', edited: true });
});

test('doesn’t change the text of a marked paragraph', async () => {
  await stores.changes.edit(uid, {
    type: 'paragraph.mark',
    recording: id,
    paragraph: 'p',
    is_tag: 1,
  });
  await receive(paragraphChange(3, { is_tag: 1 }));
  expect(await readParagraph()).toEqual({ ...recognized, is_tag: 1 });
});

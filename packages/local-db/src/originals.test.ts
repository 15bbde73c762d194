import type { Change, Paragraph, RecordingState, Task } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

const receive = (...changes: Change[]) => receivePages(changes);
/** Receives the pages of one pull. */
async function receivePages(...pages: Change[][]): Promise<void> {
  for (const changes of pages) {
    const next = String(changes.at(-1)?.rev);
    const hasMore = changes !== pages.at(-1);
    await stores.changes.applyPage(uid, cursor, { changes, cursor: next, more: hasMore });
    cursor = next;
  }
}
const paragraphChange = (rev: number, changed: Partial<Paragraph> = {}, task_id = 't'): Change => ({
  ...{ kind: 'paragraph', rev, client_flag: id, task_id, ordinal: 0 },
  paragraph: { ...recognized, ...changed },
});
const taskChange = (rev: number, taskId: string, created_at: string): Change => {
  const task = {
    ...{ id: taskId, language: 'en', status: taskStatus.transcribed, title: '', brief: '' },
    ...{ summary: '', summary_json: null, keywords: [], xmind_url: null, xmind_json: null },
    ...{ created_at, updated_at: created_at },
  } as unknown as Task;
  return { kind: 'task', rev, client_flag: id, task };
};
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
  await receive(
    { kind: 'recording', rev: 1, recording },
    taskChange(2, 't', date),
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

test('has no recognized text for a paragraph that was edited before the phone received it', async () => {
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

const laterDate = '2026-01-02T00:00:00.000Z';
const edited = { content: 'Elsewhere.', edited: true } as const;

describe.each([
  ['edited before', true],
  ['edited in the meantime', false],
])('a paragraph that was %s and reused by a later transcript', (_, isEditedBefore) => {
  beforeEach(async () => {
    if (isEditedBefore) await receive(paragraphChange(3, edited));
  });

  test.each<[string, () => Promise<void>]>([
    [
      'on the same page',
      () => receive(taskChange(4, 'u', laterDate), paragraphChange(4, edited, 'u')),
    ],
    [
      'on a later page',
      () => receivePages([taskChange(4, 'u', laterDate)], [paragraphChange(5, edited, 'u')]),
    ],
    [
      'on an earlier page',
      () => receivePages([paragraphChange(4, edited, 'u')], [taskChange(5, 'u', laterDate)]),
    ],
    [
      'after two transcripts',
      () =>
        receivePages(
          [taskChange(4, 'u', date)],
          [taskChange(5, 'v', laterDate)],
          [paragraphChange(6, edited, 'v')],
        ),
    ],
  ])('retains its recognized text if it is received %s', async (_name, receiveAll) => {
    await receiveAll();
    expect(await readParagraph()).toEqual({ ...recognized, ...edited, original: 'Heard.' });
    expect(await database.query('select * from kept_original')).toEqual([]);
  });
});

test('retains the recognized text of a reused paragraph with an unsent edit', async () => {
  await editText('Here.');
  await receive(taskChange(4, 'u', laterDate), paragraphChange(4, {}, 'u'));
  const shown = { ...recognized, content: 'Here.', edited: true, original: 'Heard.' };
  expect(await readParagraph()).toEqual(shown);
  expect(await database.query('select * from kept_original')).toEqual([]);
});

import type { Change, Paragraph, RecordingState, SpeakerReferences, Task } from '@linnet/contract';
import type { Edit } from '@linnet/contract/operations';
import { taskStatus } from '@linnet/contract/statuses';
import { describe, expect, it } from 'vitest';
import { openNodeSqlite } from '../adapters/node-sqlite.ts';
import { type SqlDatabase, SqlError } from '../database.ts';
import { migrate } from '../migrations.ts';
import { createStores } from '../stores.ts';

const uid = 'owner';
const id = 'r1';
const at = '2026-01-01T00:00:00.000Z';

const recordingRow = (rev: number, changes: Partial<RecordingState> = {}): Change => ({
  kind: 'recording',
  rev,
  recording: {
    ...{ id: 'server', client_flag: id, name: '', ai_title: '', source: 0, url: null },
    ...{ file_size: 0, sha256: null, audio_sha256: null, mime_type: 'audio/ogg', ext: 'ogg' },
    ...{ total_time: 3, peaks: '', sn: '', status: null, progress: 0, keywords: [], tags: [] },
    ...{ brief: '', is_del: 0, recorded_at: at, created_at: at, updated_at: at, rev, task: null },
    ...{ place: null, speakers: {}, markers: [], ticks: {}, mind_map: null },
    ...changes,
  },
});

/** Returns the results of a task in which the speakers 1 and 2 have the given names. */
function createTaskChange(rev: number, first: string, second: string, task = 't1'): Change {
  const [one, two] = [
    { speaker: '1', name: first },
    { speaker: '2', name: second },
  ];
  const [title, brief] = [`Report of ${first}`, `${second} agrees.`];
  const [report, budget] = [`${first} sends the report`, `${second} plans the budget`];
  const texts: SpeakerReferences['texts'] = [
    { places: ['title'], parts: ['Report of ', one] },
    { places: ['brief'], parts: [two, ' agrees.'] },
    { paragraph_id: 'p0', places: ['todos/0/text'], parts: [one, ' sends the report'] },
    { paragraph_id: 'p0', places: ['todos/0/who'], parts: [one] },
    {
      paragraph_id: 'p1',
      places: ['summary/0', 'structures/general/sections/0/items/0/text'],
      parts: [two, ' plans the budget'],
    },
  ];
  const quote = (paragraph_id: string) => ({ paragraph_id, start_time: 0 });
  const items = [{ id: 'general-1', text: budget, ...quote('p1') }];
  const paragraphs = [
    { paragraph_id: 'p0', speaker: '1' },
    { paragraph_id: 'p1', speaker: '2' },
  ];
  const results: Omit<Task, 'paragraphs'> = {
    ...{ id: task, radio_file_id: 'server', language: 'en', status: taskStatus.transcribed },
    ...{ progress: 100, step: null, error: null, title, brief, summary: budget },
    ...{ keywords: [], xmind_url: null, summarizing: null, engine: 'e', minutes: 1 },
    ...{ created_at: at, updated_at: at },
    xmind_json: [
      { id: 'root', parentid: '', topic: title },
      { id: 'item-general-1', parentid: 'root', topic: budget, paragraph_id: 'p1' },
    ],
    summary_json: {
      ...{ version: 1, engine: 'e', kind: 'generative', language: 'en', structure: 'general' },
      structures: { general: { sections: [{ heading: 'overview', items }] } },
      todos: [{ id: 'todos-1', text: report, who: first, when: null, due: null, ...quote('p0') }],
      ...{ knowledge_points: [], needs: [], questions: [], finance: [], timeline: [], topics: [] },
      looked_for: [],
      speaker_references: { texts, paragraphs },
    },
  };
  return { kind: 'task', rev, client_flag: id, task: results };
}

const paragraphRow = (ordinal: number, speaker: string): Change => {
  const paragraph: Paragraph = {
    ...{ id: `p${ordinal}`, start_time: ordinal, end_time: ordinal + 1, content: 'I agree.' },
    ...{ is_tag: 0, speaker },
  };
  return { kind: 'paragraph', rev: 1, client_flag: id, task_id: 't1', ordinal, paragraph };
};

async function openPhone(
  withFaults: (database: SqlDatabase) => SqlDatabase = (database) => database,
) {
  const database = await openNodeSqlite(':memory:');
  await migrate(database);
  const errors: unknown[] = [];
  const stores = createStores(withFaults(database), undefined, (error) => errors.push(error));
  const { records, changes, search } = stores;
  let cursor: string | undefined;
  const receive = async (...page: Change[]) => {
    const next = String(Number(cursor ?? 0) + 1);
    await changes.applyPage(uid, cursor, { changes: page, cursor: next, more: false });
    cursor = next;
  };
  const sent = { ai_title: 'Report of Speaker 1', brief: 'Speaker 2 agrees.' };
  await receive(
    recordingRow(1, sent),
    createTaskChange(1, 'Speaker 1', 'Speaker 2'),
    paragraphRow(0, '1'),
    paragraphRow(1, '2'),
  );
  return {
    ...{ database, changes, receive, errors },
    async edit(...edits: Edit[]) {
      for (const edit of edits) await changes.edit(uid, edit);
    },
    /** Returns all texts of the summary that name the speakers: on the page, in the list and in search results. */
    async shown() {
      const detail = await records.detail(id);
      const [listed] = await records.summaries(uid);
      while ((await search.catchUp()).remaining > 0);
      const findWords = async (word: string) =>
        (await search.find(uid, [word, 'budget'], 1)).found.flatMap(({ matches }) =>
          matches.map(({ text }) => text),
        );
      const { todos } = JSON.parse(detail?.summary_json ?? '');
      return {
        title: [detail?.ai_title, listed?.ai_title],
        brief: [detail?.brief, listed?.opening],
        summary: detail?.summary,
        todo: [todos[0].text, todos[0].who],
        map: (detail?.mind_map ?? detail?.xmind_json)?.map(({ topic }) => topic),
        found: [await findWords('speaker'), await findWords('zoe')],
      };
    },
  };
}

const rename = (speaker: string, name: string): Edit => {
  return { type: 'recording.speaker', recording: id, speaker, name };
};
const assign = (paragraph: string, speaker: string): Edit => {
  return { type: 'paragraph.speaker', recording: id, paragraph, speaker };
};

/** Returns the expected texts for two names, and which of the words "speaker" and "zoë" the search finds. */
function createNamedSummary(first: string, second: string) {
  const [title, brief] = [`Report of ${first}`, `${second} agrees.`];
  const budget = `${second} plans the budget`;
  const isFound = (word: string) => [first, second].some((name) => name.startsWith(word));
  return {
    title: [title, title],
    brief: [brief, brief],
    summary: budget,
    todo: [`${first} sends the report`, first],
    map: [title, budget],
    found: [isFound('Speaker'), isFound('Zoë')],
  };
}
/** Replaces the found texts with a boolean: whether any were found. */
const simplify = ({ found, ...shown }: Awaited<ReturnType<Phone['shown']>>) => ({
  ...shown,
  found: found.map((texts) => texts.length > 0),
});
type Phone = Awaited<ReturnType<typeof openPhone>>;

describe('names in a summary on the phone', () => {
  it('change immediately when a speaker is renamed, and change back', async () => {
    const phone = await openPhone();
    expect(simplify(await phone.shown())).toEqual(createNamedSummary('Speaker 1', 'Speaker 2'));
    await phone.edit(rename('1', 'Zoë'), rename('2', 'Noah'));
    expect(simplify(await phone.shown())).toEqual(createNamedSummary('Zoë', 'Noah'));
    await phone.edit(rename('1', 'Noah'), rename('2', 'Zoë'));
    expect(simplify(await phone.shown())).toEqual(createNamedSummary('Noah', 'Zoë'));
    await phone.edit(rename('1', ''), rename('2', ''));
    expect(simplify(await phone.shown())).toEqual(createNamedSummary('Speaker 1', 'Speaker 2'));
  });

  it('change when speakers are merged, and when the merge is undone', async () => {
    const phone = await openPhone();
    await phone.edit(rename('1', 'Zoë'), assign('p1', '1'));
    expect(simplify(await phone.shown())).toEqual(createNamedSummary('Zoë', 'Zoë'));
    await phone.edit(assign('p1', '2'));
    expect(simplify(await phone.shown())).toEqual(createNamedSummary('Zoë', 'Speaker 2'));
  });

  it('stay current when the server sends the summary with earlier or current names', async () => {
    const phone = await openPhone();
    await phone.edit(rename('1', 'Zoë'));
    const earlier = {
      ai_title: 'Report of Mia',
      brief: 'Speaker 2 agrees.',
      speakers: { 1: 'Mia' },
    };
    await phone.receive(recordingRow(2, earlier), createTaskChange(2, 'Mia', 'Speaker 2'));
    expect(simplify(await phone.shown())).toEqual(createNamedSummary('Zoë', 'Speaker 2'));
    const current = {
      ai_title: 'Report of Zoë',
      brief: 'Speaker 2 agrees.',
      speakers: { 1: 'Zoë' },
    };
    await phone.receive(recordingRow(3, current), createTaskChange(3, 'Zoë', 'Speaker 2'));
    expect(simplify(await phone.shown())).toEqual(createNamedSummary('Zoë', 'Speaker 2'));
  });

  it('change after renames on other phones, also with a server that doesn’t name summaries', async () => {
    const phone = await openPhone();
    const renamed = { ai_title: 'Report of Speaker 1', brief: 'Speaker 2 agrees.' };
    await phone.receive(recordingRow(2, { ...renamed, speakers: { 2: 'Zoë' } }));
    expect(simplify(await phone.shown())).toEqual(createNamedSummary('Speaker 1', 'Zoë'));
  });

  it('don’t change mind map nodes that the user typed', async () => {
    const phone = await openPhone();
    const mind_map = [
      { id: 'root', parentid: '', topic: 'Report of Speaker 1' },
      { id: 'mine', parentid: 'root', topic: 'Report of Speaker 1' },
    ];
    await phone.edit({ type: 'recording.mindMap', recording: id, mind_map }, rename('1', 'Zoë'));
    expect((await phone.shown()).map).toEqual(['Report of Zoë', 'Report of Speaker 1']);
  });

  it('notify subscribers once, after the update', async () => {
    const phone = await openPhone();
    const titles: Promise<unknown>[] = [];
    phone.changes.subscribe(() => titles.push(phone.shown().then(({ title }) => title)));
    await phone.edit(rename('1', 'Zoë'));
    expect(await Promise.all(titles)).toEqual([['Report of Zoë', 'Report of Zoë']]);
  });

  it('keep the server’s texts if a summary can’t be read, without blocking other changes', async () => {
    const phone = await openPhone();
    await phone.edit(rename('1', 'Zoë'));
    await phone.database.batch([
      [
        `update record set summary_json = json_set(summary_json, '$.speaker_references', json('{}'))`,
      ],
    ]);
    await phone.edit(rename('1', 'Mia'));
    expect((await phone.shown()).title).toEqual(['Report of Speaker 1', 'Report of Speaker 1']);
    expect(phone.errors).toEqual([expect.any(TypeError)]);
    // The summary isn't read again until it changes.
    await phone.edit({ type: 'recording.tag', recording: id, tag: 'work', on: true });
    expect(phone.errors).toHaveLength(1);
    await phone.receive(createTaskChange(3, 'Speaker 1', 'Speaker 2'));
    expect((await phone.shown()).title).toEqual(['Report of Mia', 'Report of Mia']);
  });

  it('are updated later if storing them with the change fails', async () => {
    let isBroken = false;
    const phone = await openPhone((database) => ({
      query: (sql, values) => database.query(sql, values),
      batch: async (statements) => {
        if (isBroken && statements.some(([sql]) => sql.includes('set named'))) {
          throw new SqlError('failed');
        }
        return database.batch(statements);
      },
      close: () => database.close(),
    }));
    isBroken = true;
    await phone.edit(rename('1', 'Zoë'), rename('2', 'Noah'));
    expect(phone.errors).toHaveLength(2);
    isBroken = false;
    await phone.edit({ type: 'recording.tag', recording: id, tag: 'work', on: true });
    expect(simplify(await phone.shown())).toEqual(createNamedSummary('Zoë', 'Noah'));
  });
});

/** Inserts recordings whose title names their first speaker, Zoë, before the migration that names speakers. */
async function openEarlier(count: number) {
  const database = await openNodeSqlite(':memory:');
  await migrate(database, 21);
  const results = createTaskChange(1, 'Speaker 1', 'Speaker 2');
  if (results.kind !== 'task') throw new Error('not a task');
  const { title, summary_json } = results.task;
  await database.batch(
    Array.from({ length: count }, (_, index) => [
      `insert into record (id, uid, create_date, update_date, ai_title, summary_json, speakers)
       values (?, ?, ?, ?, ?, ?, '{"1":"Zoë"}')`,
      [`r${index + 1}`, uid, at, at, title, JSON.stringify(summary_json)],
    ]),
  );
  await migrate(database);
  return { database, ...createStores(database) };
}

describe('names in summaries of an earlier version', () => {
  it('are updated with the next change to a recording', async () => {
    const { records } = await openEarlier(1);
    await records.update(id, { is_new: 0 });
    expect((await records.detail(id))?.ai_title).toBe('Report of Zoë');
  });

  it('are updated step by step without blocking changes, and notify lists', async () => {
    const { database, records, changes, search } = await openEarlier(45);
    const titles = async () => (await records.summaries(uid)).map(({ ai_title }) => ai_title);
    const countNamed = async () =>
      (await titles()).filter((title) => title === 'Report of Zoë').length;
    expect(await countNamed()).toBe(0);
    await records.update(id, { is_new: 0 });
    expect(await countNamed()).toBe(1);
    let notifications = 0;
    changes.subscribe(() => {
      notifications += 1;
    });
    let { remaining } = await search.catchUp();
    expect([remaining > 0, notifications, await countNamed()]).toEqual([true, 1, 21]);
    while (remaining > 0) ({ remaining } = await search.catchUp());
    expect([notifications, await countNamed()]).toEqual([3, 45]);
    expect(await database.query('select 1 from stale_names')).toEqual([]);
    expect((await search.find(uid, ['zoe'], 100)).found).toHaveLength(45);
  });
});

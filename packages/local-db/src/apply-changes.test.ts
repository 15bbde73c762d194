import type { Change, Paragraph, RecordingState, Task } from '@linnet/contract';
import type { Edit } from '@linnet/contract/operations';
import { taskStatus } from '@linnet/contract/statuses';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openNodeSqlite } from './adapters/node-sqlite.ts';
import type { SqlDatabase } from './database.ts';
import { migrate } from './migrations.ts';
import { createStores } from './stores.ts';

const uid = 'owner';
const timeAt = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

function createRecordingChange(
  id: string,
  rev: number,
  changed: Partial<RecordingState> = {},
): Change {
  const recording: RecordingState = {
    ...{ id: `server-${id}`, client_flag: id, name: '', ai_title: '', source: 0, url: null },
    ...{ file_size: 0, sha256: null, audio_sha256: null, mime_type: 'audio/ogg', ext: 'ogg' },
    ...{ total_time: 3, peaks: '', sn: '', status: null, progress: 0, keywords: [], tags: [] },
    ...{
      brief: '',
      is_del: 0,
      recorded_at: timeAt(0),
      created_at: timeAt(0),
      updated_at: timeAt(rev),
    },
    ...{ place: null, speakers: {}, markers: [], ticks: {}, mind_map: null, rev, task: null },
    ...changed,
  };
  return { kind: 'recording', rev, recording };
}

function createTaskChange(
  id: string,
  task: string,
  rev: number,
  { createdAt = rev, kind = 'extractive' as 'extractive' | 'generative' } = {},
): Change {
  const [title, brief] = ['Report of Speaker 1', 'Speaker 2 agrees.'];
  const summary_json: Task['summary_json'] = {
    ...{ version: 1, engine: 'e', kind, language: 'en', structure: 'general', structures: {} },
    ...{ todos: [], knowledge_points: [], needs: [], questions: [], finance: [], timeline: [] },
    ...{ topics: [], looked_for: [] },
    speaker_references: {
      texts: [{ places: ['title'], parts: ['Report of ', { speaker: '1', name: 'Speaker 1' }] }],
      paragraphs: [],
    },
  };
  return {
    kind: 'task',
    rev,
    client_flag: id,
    task: {
      ...{ id: task, radio_file_id: `server-${id}`, language: 'en', progress: 100, step: null },
      ...{
        status: taskStatus.transcribed,
        error: null,
        title,
        brief,
        summary: brief,
        summary_json,
      },
      ...{ keywords: [], xmind_url: null, xmind_json: null, summarizing: null, engine: 'e' },
      ...{ minutes: 1, created_at: timeAt(createdAt), updated_at: timeAt(rev) },
    },
  };
}

function createParagraphChange(
  id: string,
  task: string,
  ordinal: number,
  rev: number,
  changed: Partial<Paragraph> = {},
): Change {
  const paragraph: Paragraph = {
    ...{ id: `${id}-${ordinal}`, start_time: ordinal, end_time: ordinal + 1, is_tag: 0 },
    ...{ content: `${task} says ${ordinal} at ${rev}`, speaker: '1' },
    ...changed,
  };
  return { kind: 'paragraph', rev, client_flag: id, task_id: task, ordinal, paragraph };
}

async function openPhone(wrap: (database: SqlDatabase) => SqlDatabase = (database) => database) {
  const database = await openNodeSqlite(':memory:');
  await migrate(database);
  const errors: unknown[] = [];
  const stores = createStores(
    wrap(database),
    () => timeAt(30),
    (error) => errors.push(error),
  );
  let cursor: string | undefined;
  return {
    ...stores,
    database,
    errors,
    async receive(page: readonly Change[], more: boolean) {
      const next = String(Number(cursor ?? 0) + 1);
      await stores.changes.applyPage(uid, cursor, { changes: [...page], cursor: next, more });
      cursor = next;
    },
  };
}
type Phone = Awaited<ReturnType<typeof openPhone>>;

/** Returns all stored data except the times when rows were written. */
async function contents({ database, search, errors }: Phone) {
  while ((await search.catchUp()).remaining > 0);
  const tables = {
    record: '*',
    copy: 'record_id, place, status, bytes, sha256',
    paragraph: '*',
    early_task: '*',
    tombstone: '*',
    setting: 'uid, group_name, config_key, config_value, base',
    operation: "uid, record_id, json_remove(body, '$.op_id'), answered",
    kept_original: '*',
    stale_names: '*',
    search_page: 'record_id, page, folded',
  };
  const rows: Record<string, unknown> = { errors };
  for (const [table, columns] of Object.entries(tables)) {
    const all = await database.query(`select ${columns} from ${table}`);
    // If one page moves a recording to the recycle bin several times, only the last time is stored. The server never
    // sends such a page.
    rows[table] = all
      .map(({ binned_at: _at, binned_by: _by, ...row }) => JSON.stringify(row))
      .sort();
  }
  return rows;
}

const id = fc.constantFrom('a', 'b', 'c');
const rev = fc.nat(9);
const task = fc.constantFrom('first', 'second');
const flag = fc.constantFrom(0 as const, 1 as const);
const move = { run: 'run', tag: 'old', after: 30, unit: 'day', at: timeAt(4) } as const;

const recordingChange = fc
  .record({
    ...{
      id,
      rev,
      task: fc.option(task),
      status: fc.constantFrom(1 as const, 2 as const, 3 as const),
    },
    fields: fc.record(
      {
        ...{ name: fc.constantFrom('', 'One', 'Two'), is_del: flag, is_archived: flag },
        speakers: fc.constantFrom<Record<string, string>>({}, { 1: 'Zoë' }),
        peaks: fc.constantFrom('', 'AQID'),
        url: fc.constantFrom(null, 'https://server/audio'),
        binned_by: fc.constantFrom(null, move),
        auto_transcribe: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ id, rev, task, status, fields }) => {
    const head = task && {
      ...{ id: `${id} ${task}`, language: 'en' as const, status, progress: 0 },
      ...{ step: null, error: null },
    };
    return createRecordingChange(id, rev, { ...fields, task: head });
  });
const taskChange = fc
  .record({
    id,
    task,
    rev,
    createdAt: fc.nat(3),
    kind: fc.constantFrom('extractive', 'generative'),
  })
  .map(({ id, task, rev, createdAt, kind }) =>
    createTaskChange(id, `${id} ${task}`, rev, {
      createdAt,
      kind: kind as 'extractive' | 'generative',
    }),
  );
const paragraphChange = fc
  .record({
    id,
    task,
    rev,
    ordinal: fc.nat(20),
    edited: fc.boolean(),
    speaker: fc.constantFrom('1', '2'),
  })
  .map(({ id, task, rev, ordinal, edited, speaker }) =>
    createParagraphChange(id, `${id} ${task}`, ordinal, rev, {
      speaker,
      ...(edited && { edited: true }),
    }),
  );
const tombstoneChange = fc.record({ id, rev }).map(({ id, rev }): Change => {
  return { kind: 'tombstone', rev, id: `server-${id}`, client_flag: id, deleted_at: timeAt(rev) };
});
const settingChange = fc
  .record({ rev, config_key: fc.constantFrom('x', 'y'), config_value: fc.constantFrom('0', '1') })
  .map(({ rev, ...setting }): Change => {
    return { kind: 'setting', rev, setting: { group_name: 'g', ...setting } };
  });
const change = fc.oneof(
  { weight: 6, arbitrary: recordingChange },
  { weight: 5, arbitrary: taskChange },
  { weight: 9, arbitrary: paragraphChange },
  { weight: 1, arbitrary: tombstoneChange },
  { weight: 1, arbitrary: settingChange },
);

const edit: fc.Arbitrary<Edit> = fc.oneof(
  id.map((recording): Edit => ({ type: 'recording.rename', recording, name: 'Mine' })),
  id.map((recording): Edit => ({ type: 'recording.bin', recording })),
  id.map((recording): Edit => ({ type: 'recording.delete', recording })),
  fc.record({ recording: id, ordinal: fc.nat(20) }).map(({ recording, ordinal }): Edit => {
    const paragraph = `${recording}-${ordinal}`;
    return { type: 'paragraph.edit', recording, paragraph, content: 'Mine' };
  }),
  fc.constant<Edit>({ type: 'setting.set', group_name: 'g', config_key: 'x', config_value: '2' }),
);

describe('a page of changes', () => {
  it('has the same result as applying its changes one by one, in any order, with repetitions, deletions and pending edits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 20 }),
        fc.array(edit, { maxLength: 4 }),
        fc.array(change, { maxLength: 40 }),
        fc.boolean(),
        async (before, edits, page, areAnswered) => {
          const [batched, stepwise] = [await openPhone(), await openPhone()];
          for (const phone of [batched, stepwise]) {
            // Update the index first, so the comparison shows which pages become stale.
            for (const each of before) await phone.receive([each], true);
            await contents(phone);
            for (const each of edits) await phone.changes.edit(uid, each);
            if (!areAnswered) continue;
            const ops = await phone.changes.pending(uid);
            await phone.changes.acknowledge(
              uid,
              ops.map(({ op_id }) => ({ op_id, outcome: 'applied', rev: 9, code: 0, msg: '' })),
            );
          }
          await batched.receive(page, true);
          for (const each of page) await stepwise.receive([each], true);
          expect(await contents(batched)).toEqual(await contents(stepwise));
          for (const phone of [batched, stepwise]) await phone.receive([], false);
          expect(await contents(batched)).toEqual(await contents(stepwise));
          await batched.database.close();
          await stepwise.database.close();
        },
      ),
      { numRuns: 30 },
    );
  });

  it('runs one statement per new recording, one per copy, and fewer than one per paragraph', async () => {
    let batches: number[] = [];
    const phone = await openPhone((database) => ({
      ...database,
      batch: (statements) => {
        batches.push(statements.length);
        return database.batch(statements);
      },
    }));
    const count = 100;
    const page = Array.from({ length: count }, (_, n) => [
      createRecordingChange(`r${n}`, n + 1, { task: null }),
      createTaskChange(`r${n}`, `t${n}`, n + 1),
      ...[0, 1].map((ordinal) => createParagraphChange(`r${n}`, `t${n}`, ordinal, n + 1)),
    ]).flat();
    batches = [];
    await phone.receive(page, true);
    // One transaction is enough, because extractive summaries need no speaker names.
    expect(batches).toHaveLength(1);
    expect(batches[0]).toBeLessThan(2 * count + 20);
    expect(await phone.records.summaries(uid)).toHaveLength(count);
    expect(await phone.database.query('select count(*) as count from paragraph')).toEqual([
      { count: 2 * count },
    ]);
    await phone.database.close();
  });

  it('is stored atomically with its cursor', async () => {
    let failsAt = Number.POSITIVE_INFINITY;
    const phone = await openPhone((database) => ({
      ...database,
      batch: (statements) =>
        database.batch(
          statements.length > failsAt ? [...statements.slice(0, failsAt), ['no SQL']] : statements,
        ),
    }));
    const page = [
      createRecordingChange('a', 1),
      createTaskChange('a', 't', 1),
      createParagraphChange('a', 't', 0, 1),
      createRecordingChange('b', 2),
    ];
    const before = await contents(phone);
    for (failsAt = 0; failsAt < 5; failsAt += 1) {
      await expect(phone.receive(page, true)).rejects.toThrow();
      expect(await phone.changes.cursor(uid)).toBeUndefined();
    }
    failsAt = Number.POSITIVE_INFINITY;
    expect(await contents(phone)).toEqual(before);
    await phone.receive(page, true);
    expect(await phone.changes.cursor(uid)).toBe('1');
    expect(await phone.records.summaries(uid)).toHaveLength(2);
    await phone.database.close();
  });
});

import type { Change, Paragraph, Task } from '@linnet/contract';
import type { Edit } from '@linnet/contract/operations';
import { taskStatus } from '@linnet/contract/statuses';
import { StorageFull } from '@linnet/sync';
import { describe, expect, it } from 'vitest';
import { openNodeSqlite } from './adapters/node-sqlite.ts';
import { migrate } from './migrations.ts';
import { createStores } from './stores.ts';

describe('add', () => {
  it('adds an imported recording as complete, unread and queued for upload', async () => {
    const database = await openNodeSqlite(':memory:');
    await migrate(database);
    const { records } = createStores(database);
    let notifications = 0;
    records.subscribe(() => {
      notifications += 1;
    });
    const id = '01936f7e-0000-7000-8000-000000000001';
    const peaks = Uint8Array.of(1, 2, 3);
    await records.add({
      id,
      uid: 'owner',
      title: 'Choir practice',
      createDate: '2026-02-03T04:05:06.000Z',
      audio: {
        sha256: 'ab'.repeat(32),
        bytes: 1600,
        seconds: 61.6,
        peaks,
        localfile: 'linnet/audio/x.wav',
      },
    });
    expect(notifications).toBe(1);
    expect(await records.detail(id)).toMatchObject({
      title: 'Choir practice',
      create_date: '2026-02-03T04:05:06.000Z',
      record_time: 62,
      localfile: 'linnet/audio/x.wav',
      local_noise_file: '',
      sn: '',
      device_file_id: null,
      rec_source: 1,
      scene: 'audio',
      is_new: 0,
      is_local: 0,
      is_trans: 0,
      audioBytes: 1600,
      peaks,
      copies: {
        recorder: { status: 'absent' },
        phone: { status: 'verified', bytes: 1600, sha256: 'ab'.repeat(32) },
        cloud: { status: 'absent' },
      },
    });
    expect((await records.queue('owner', false)).map((queued) => queued.id)).toEqual([id]);
    expect(await records.summaries('another')).toEqual([]);
    expect(await records.unfinished('owner')).toEqual([]);
  });
});

describe('writes to a full disk', () => {
  it('are rejected without losing records, and succeed again after space is freed', async () => {
    const database = await openNodeSqlite(':memory:');
    await migrate(database);
    const { records, diskSpace } = createStores(database);
    const changes: string[] = [];
    diskSpace.subscribe(() => changes.push(diskSpace.get()));
    const add = (n: number) =>
      records.add({
        id: `r${n}`,
        uid: 'owner',
        title: `Recording ${n}`,
        createDate: new Date(Date.UTC(2026, 1, 1, 0, n)).toISOString(),
        audio: {
          sha256: 'ab'.repeat(32),
          bytes: 1,
          seconds: 1,
          peaks: new Uint8Array(2000),
          localfile: 'x',
        },
      });
    await add(0);
    const [pages] = await database.query('pragma page_count');
    await database.query(`pragma max_page_count = ${pages?.page_count}`);
    let count = 1;
    const refused = (async () => {
      for (; count < 100; count += 1) await add(count);
    })();
    await expect(refused).rejects.toBeInstanceOf(StorageFull);
    expect(await records.summaries('owner')).toHaveLength(count);
    await database.query('pragma max_page_count = 10000');
    await add(count);
    expect(await records.summaries('owner')).toHaveLength(count + 1);
    expect(changes).toEqual(['none', 'enough']);
  });
});

describe('record lists', () => {
  const createImport = (n: number, uid = 'owner') => ({
    id: `r${n}`,
    uid,
    title: `Recording ${n}`,
    createDate: new Date(Date.UTC(2026, 1, 1, 0, n % 7)).toISOString(),
    audio: {
      sha256: 'ab'.repeat(32),
      bytes: 1,
      seconds: 1,
      peaks: Uint8Array.of(n % 256),
      localfile: 'x',
    },
  });

  it('are the same after incremental updates and after a complete read', async () => {
    const database = await openNodeSqlite(':memory:');
    await migrate(database);
    const { records, changes } = createStores(database);
    const openRecords = () => createStores(database).records;
    const all = Array.from({ length: 1200 }, (_, n) => n);
    for (const n of all.slice(0, 600)) await records.add(createImport(n));
    await records.add(createImport(9000, 'another'));

    const edits: Edit[] = [
      { type: 'recording.rename', recording: 'r7', name: 'Choir' },
      { type: 'recording.tag', recording: 'r8', tag: 'work', on: true },
      { type: 'recording.speaker', recording: 'r8', speaker: '1', name: 'Anna' },
      { type: 'recording.bin', recording: 'r9' },
      { type: 'recording.bin', recording: 'r10' },
      { type: 'recording.recover', recording: 'r9' },
      { type: 'recording.delete', recording: 'r11' },
      { type: 'recording.delete', recording: 'r10' },
      { type: 'recording.bin', recording: 'r12' },
    ];
    const steps: (() => Promise<unknown>)[] = [
      ...edits.map((edit) => () => changes.edit('owner', edit)),
      () => records.update('r13', { problem: { step: 'upload', code: 'file_missing' } }),
      () =>
        records.update('r14', { copies: { cloud: { status: 'stored', bytes: 9, sha256: null } } }),
      () =>
        records.ensure({
          ...{ id: 'session', uid: 'owner', sn: 'SN', deviceFileId: 1, seconds: 3, scene: 'note' },
          source: 'recorder',
          ...{ createDate: '2026-02-03T04:05:06.000Z', audioBytes: 1 },
        }),
      // Add more records than a single query reads.
      () => Promise.all(all.slice(600).map((n) => records.add(createImport(n)))),
      () =>
        changes.editAll(
          'owner',
          all.slice(20, 800).map((n) => ({ type: 'recording.bin', recording: `r${n}` }) as const),
        ),
    ];
    for (const step of steps) {
      const before = await records.summaries('owner');
      await step();
      const [kept, binned] = [await records.summaries('owner'), await records.binned('owner')];
      expect(kept).toEqual(await openRecords().summaries('owner'));
      expect(binned).toEqual(await openRecords().binned('owner'));
      expect(await records.summaries('owner')).toBe(kept);
      const previousRows = new Set(before);
      expect(kept.filter((row) => row.id === 'r599' && !previousRows.has(row))).toEqual([]);
    }
    const tagged = (await records.summaries('owner')).find(({ id }) => id === 'r8');
    expect(tagged).toMatchObject({ tags: ['work'], speakers: { 1: 'Anna' } });
    expect((await records.binned('owner')).length).toBeGreaterThan(700);
    expect((await records.summaries('another')).map(({ id }) => id)).toEqual(['r9000']);
    await changes.edit('another', edits[0] as Edit);
    expect(await records.summaries('owner')).toEqual(await openRecords().summaries('owner'));
    await database.close();
  });

  it('include records that are written during a read or before a failed read', async () => {
    const database = await openNodeSqlite(':memory:');
    await migrate(database);
    let concurrentWrite: (() => Promise<unknown>) | null = null;
    const { records } = createStores({
      ...database,
      batch: (statements) => database.batch(statements),
      close: () => database.close(),
      async query(sql, values) {
        const rows = await database.query(sql, values);
        const concurrent =
          sql.includes('order by create_date') || sql.includes('id in') ? concurrentWrite : null;
        concurrentWrite = null;
        await concurrent?.();
        return rows;
      },
    });
    for (let n = 0; n < 3; n++) await records.add(createImport(n));
    const readNames = async () =>
      (await records.summaries('owner')).map(({ title, ai_title }) => ai_title || title);
    concurrentWrite = () =>
      Promise.all([records.update('r1', { ai_title: 'Other' }), records.add(createImport(3))]);
    expect((await readNames()).sort()).toEqual([
      'Other',
      'Recording 0',
      'Recording 2',
      'Recording 3',
    ]);

    await records.update('r2', { ai_title: 'Late' });
    concurrentWrite = () => Promise.reject(new Error('the disk was removed'));
    await expect(readNames()).rejects.toThrow('the disk was removed');
    expect(await readNames()).toContain('Late');
    await database.close();
  });
});

describe('deleteAccountData', () => {
  /** Returns the server changes for a transcript with one paragraph. */
  const transcriptChanges = (uid: string, recording: string): Change[] => {
    const common = { rev: 1, client_flag: recording };
    const date = '2026-01-01T00:00:00.000Z';
    const task: Omit<Task, 'paragraphs'> = {
      ...{ id: `task of ${recording}`, radio_file_id: `server-${recording}`, title: '', brief: '' },
      ...{ progress: 100, step: null, error: null, summary: '', summary_json: null, keywords: [] },
      ...{ xmind_url: null, xmind_json: null, summarizing: null, engine: null, minutes: 1 },
      ...{ created_at: date, updated_at: date },
      language: 'en',
      status: taskStatus.transcribed,
    };
    const fields = { id: 'p', start_time: 0, end_time: 1, content: `By ${uid}.` };
    const paragraph: Paragraph = { ...fields, is_tag: 0 };
    return [
      { kind: 'task', ...common, task },
      { kind: 'paragraph', ...common, task_id: task.id, ordinal: 0, paragraph },
    ];
  };

  it("removes all of the account's rows, but none of another account's", async () => {
    const database = await openNodeSqlite(':memory:');
    await migrate(database);
    const { records, changes } = createStores(database);
    for (const uid of ['closed', 'open']) {
      for (const n of [1, 2, 3]) {
        await records.add({
          id: `${uid}-${n}`,
          uid,
          title: `Recording ${n}`,
          createDate: new Date(Date.UTC(2026, 1, n)).toISOString(),
          audio: {
            sha256: 'ab'.repeat(32),
            bytes: 1,
            seconds: 1,
            peaks: Uint8Array.of(1),
            localfile: 'x',
          },
        });
      }
      await changes.edit(uid, { type: 'recording.bin', recording: `${uid}-1` });
      await changes.edit(uid, { type: 'recording.delete', recording: `${uid}-2` });
      const setting = { group_name: 'files', config_key: 'view', config_value: uid };
      await changes.edit(uid, { type: 'setting.set', ...setting });
      // The second transcript's recording would be on the next page.
      const received = [
        ...transcriptChanges(uid, `${uid}-3`),
        ...transcriptChanges(uid, `${uid}-next`),
      ];
      await changes.applyPage(uid, undefined, { changes: received, cursor: '1', more: true });
    }
    await records.deleteAccountData('closed');
    const tables = [
      'record',
      'operation',
      'setting',
      'tombstone',
      'cursor',
      'early_task',
      'paragraph',
    ];
    for (const table of tables) {
      const rows = await database.query(`select uid from ${table}`);
      expect(
        rows.filter(({ uid }) => uid === 'closed'),
        table,
      ).toEqual([]);
      expect(
        rows.filter(({ uid }) => uid === 'open'),
        table,
      ).not.toEqual([]);
    }
    expect(await database.query(`select * from copy where record_id like 'closed%'`)).toEqual([]);
    expect(await records.summaries('closed')).toEqual([]);
    expect(await records.summaries('open')).toHaveLength(1);
    expect(await records.binned('open')).toHaveLength(1);
    expect(await changes.settings('open')).toHaveLength(1);
    expect(await changes.pending('open')).not.toHaveLength(0);
  });
});

describe('dueTodos', () => {
  it("returns a period's open to-dos, except those in the recycle bin and those of other accounts", async () => {
    const database = await openNodeSqlite(':memory:');
    await migrate(database);
    const { records } = createStores(database);
    const add = async (id: string, uid: string, values: Record<string, string | number>) => {
      await records.add({
        ...{ id, uid, title: id, createDate: `2026-02-0${id.at(-1)}T00:00:00.000Z` },
        audio: {
          ...{ sha256: 'ab'.repeat(32), bytes: 1, seconds: 1, localfile: 'x' },
          peaks: new Uint8Array(),
        },
      });
      // A new summary removes the names from the previous one, so each column is a statement of its own.
      await database.batch(
        Object.entries(values).map(([column, value]) => [
          `update record set ${column} = ? where id = ?`,
          [value, id],
        ]),
      );
    };
    const summary = (...todos: [id: string, due: string | null][]) =>
      JSON.stringify({
        todos: todos.map(([id, due]) => ({ id, text: `Do ${id}`, due, paragraph_id: `p-${id}` })),
      });
    await add('r1', 'ada', { summary_json: summary(['a', '2026-02-10'], ['b', null]) });
    await add('r2', 'ada', {
      summary_json: summary(['c', '2026-02-12'], ['d', '2026-02-10'], ['e', '2026-02-10']),
      ticks: '{"e":true,"d":false}',
      named: JSON.stringify({
        summary_json: {
          todos: [{ id: 'd', text: 'Ask Ben', due: '2026-02-10', paragraph_id: 'p' }],
        },
      }),
    });
    await add('r3', 'ada', { summary_json: summary(['f', '2026-02-10']), is_del: 1 });
    await add('r4', 'grace', { summary_json: summary(['g', '2026-02-10']) });
    await add('r5', 'ada', { brief: 'Without to-dos' });
    await add('r6', 'ada', { summary_json: summary(['h', '2026-02-09'], ['i', '2026-02-11']) });
    expect(await records.dueTodos('ada', '2026-02-10', '2026-02-11')).toEqual([
      { recording: 'r2', text: 'Ask Ben', due: '2026-02-10', paragraph: 'p' },
      { recording: 'r1', text: 'Do a', due: '2026-02-10', paragraph: 'p-a' },
      { recording: 'r6', text: 'Do i', due: '2026-02-11', paragraph: 'p-i' },
    ]);
  });
});

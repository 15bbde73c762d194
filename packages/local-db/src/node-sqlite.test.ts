import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls } from '@linnet/contract';
import { afterAll, describe, expect, it, test } from 'vitest';
import { openNodeSqlite } from './adapters/node-sqlite.ts';
import { openWithReconnect, type SqlDatabase, SqlError } from './database.ts';
import { databaseBytes } from './database-size.ts';
import { migrate, SCHEMA_VERSION } from './migrations.ts';
import { createStores } from './stores.ts';
import { sqlDatabaseContract } from './testing/index.ts';

const dir = mkdtempSync(join(tmpdir(), 'linnet-db-'));
afterAll(() => rmSync(dir, { recursive: true }));

describe('openNodeSqlite', () => {
  sqlDatabaseContract({ test, open: () => openNodeSqlite(join(dir, 'contract.sqlite3')) });
});

describe('openWithReconnect', () => {
  it('reopens a closed database and retries the statement once', async () => {
    const path = join(dir, 'reopen.sqlite3');
    const opened: SqlDatabase[] = [];
    const database = await openWithReconnect(async () => {
      const connection = await openNodeSqlite(path);
      opened.push(connection);
      return connection;
    });
    await database.batch([['create table t (n integer)']]);
    await opened[0]?.close();
    const inserts = [
      database.batch([['insert into t values (1)']]),
      database.batch([['insert into t values (2)']]),
    ];
    await Promise.all(inserts);
    expect(opened.length).toBe(2);
    expect(await database.query('select n from t order by n')).toEqual([{ n: 1 }, { n: 2 }]);
    await database.close();
  });

  it('tries to reopen again after a failed attempt', async () => {
    const path = join(dir, 'locked.sqlite3');
    let connection: SqlDatabase | null = null;
    let isLocked = false;
    const database = await openWithReconnect(async () => {
      if (isLocked) throw new SqlError('locked');
      connection = await openNodeSqlite(path);
      return connection;
    });
    await database.query('create table t (n integer)');
    await (connection as SqlDatabase | null)?.close();
    isLocked = true;
    await expect(database.query('select n from t')).rejects.toMatchObject({ code: 'locked' });
    isLocked = false;
    expect(await database.query('select n from t')).toEqual([]);
    await database.close();
  });

  it('rejects with error −1404 after one retry', async () => {
    let opens = 0;
    const database = await openWithReconnect(async () => {
      opens += 1;
      const closed = await openNodeSqlite(':memory:');
      await closed.close();
      return closed;
    });
    const error = await database.query('select 1').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SqlError);
    expect((error as SqlError).number).toBe(-1404);
    expect(opens).toBe(2);
  });
});

it('measures the size of the database without its write-ahead log', async () => {
  const file = join(dir, 'size.sqlite3');
  const database = await openNodeSqlite(file);
  await database.query('pragma journal_mode = wal');
  await database.query('create table text (content text)');
  // Repeated changes to one page grow the log well beyond the database's size.
  await database.query("insert into text values ('')");
  for (let n = 0; n < 200; n += 1) await database.query('update text set content = ?', [`${n}`]);
  const bytes = await databaseBytes(database);
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(10 * bytes);
  await database.query('pragma wal_checkpoint(truncate)');
  expect(bytes).toBe(statSync(file).size);
  await database.close();
});

describe('migrate', () => {
  it('migrates a database of the first version and sets defaults for new columns', async () => {
    const database = await openNodeSqlite(':memory:');
    await migrate(database, 1);
    await database.query(
      `insert into record (id, uid, create_date, update_date, title) values ('r', 'u', 'd', 'd', 'old')`,
    );
    await migrate(database);
    await migrate(database);
    const [row] = await database.query('select * from record');
    expect(row).toMatchObject({
      title: 'old',
      ai_title: '',
      summary_json: null,
      local_noise_file: '',
      sn: '',
      record_time: 0,
      is_local: 0,
      is_trans: 0,
      process: 0,
      rec_source: 1,
      is_new: 1,
      is_del: 0,
    });
    expect(await database.query('pragma user_version')).toEqual([{ user_version: SCHEMA_VERSION }]);
  });

  it('derives the type of existing recordings from their source and recorder', async () => {
    const database = await openNodeSqlite(':memory:');
    await migrate(database, 11);
    for (const [id, recSource, sn] of [
      ['call', 2, 'SN'],
      ['call without a recorder', 2, ''],
      ['note', 1, 'SN'],
      ['audio', 1, ''],
    ] as const) {
      await database.query(
        `insert into record (id, uid, create_date, update_date, rec_source, sn) values (?, 'u', 'd', 'd', ?, ?)`,
        [id, recSource, sn],
      );
    }
    await migrate(database);
    expect(await database.query('select id, scene from record order by id')).toEqual([
      { id: 'audio', scene: 'audio' },
      { id: 'call', scene: 'call' },
      { id: 'call without a recorder', scene: 'call' },
      { id: 'note', scene: 'note' },
    ]);
  });

  it('reindexes texts that an older version folded', async () => {
    const database = await openNodeSqlite(':memory:');
    await migrate(database, 12);
    await database.query(
      "insert into record (id, uid, create_date, update_date, title) values ('r', 'u', 'd', 'd', 'Straße')",
    );
    await database.query(
      "insert into search_page (record_id, page, folded) values ('r', 0, 'straße')",
    );
    await database.query('delete from search_stale');
    await migrate(database);
    expect(await database.query('select record_id, page from search_stale')).toEqual([
      { record_id: 'r', page: 0 },
    ]);
  });

  it('retains transcripts and converts existing edits to operations', async () => {
    const database = await openNodeSqlite(':memory:');
    await migrate(database, 2);
    const paragraphs = ['One.', 'Two.'].map((content, n) => ({
      id: `p${n}`,
      start_time: n,
      end_time: n + 1,
      content,
      is_tag: 0,
    }));
    const date = '2026-01-02T03:04:05.000Z';
    const columns =
      'id, uid, create_date, update_date, server_id, title, is_del, is_trans, content';
    for (const [id, title, is_del, is_trans] of [
      ['named', 'Mine', 0, 2],
      ['binned', '', 1, 1],
      ['untouched', '', 0, 0],
    ] as const) {
      const content = JSON.stringify(is_trans === 0 ? [] : paragraphs);
      await database.query(`insert into record (${columns}) values (?, 'u', ?, ?, ?, ?, ?, ?, ?)`, [
        ...[id, date, date, `server-${id}`, title, is_del, is_trans, content],
      ]);
    }
    await migrate(database);
    const { records, changes } = createStores(database);
    for (const id of ['named', 'binned']) {
      expect((await records.detail(id))?.content).toEqual(paragraphs);
    }
    expect((await records.detail('untouched'))?.content).toEqual([]);
    expect(await records.binned('u')).toMatchObject([{ id: 'binned', binnedAt: date }]);
    const head = { base_rev: 0, at: date };
    const operations = await changes.pending('u');
    expect(operations).toEqual([
      {
        ...head,
        op_id: operations[0]?.op_id,
        type: 'recording.rename',
        recording: 'named',
        name: 'Mine',
      },
      { ...head, op_id: operations[1]?.op_id, type: 'recording.bin', recording: 'binned' },
    ]);
    expect(calls['sync/apply'].body.safeParse({ ops: operations }).error).toBeUndefined();
    expect(new Set(operations.map(({ op_id }) => op_id)).size).toBe(2);
  });

  it('deletes rows that belong to no known account, and resets the cursor', async () => {
    const earlyTask = `insert into early_task (task_id, record_id, body) values ('t', 'unseen', '{}')`;
    const insertParagraph = (record: string) =>
      `insert into paragraph (task_id, ordinal, record_id, id, body)
       values ('of ${record}', 0, '${record}', 'p', '{"content":"Spoken."}')`;
    const cases = [
      { early: [], cursors: 1 },
      { early: [earlyTask], cursors: 0 },
      { early: [insertParagraph('unseen')], cursors: 0 },
    ];
    for (const { early, cursors } of cases) {
      const database = await openNodeSqlite(':memory:');
      await migrate(database, 7);
      for (const sql of [
        `insert into record (id, uid, create_date, update_date) values ('known', 'u', 'd', 'd')`,
        `insert into cursor (uid, cursor, rev) values ('u', 'c', 1)`,
        insertParagraph('known'),
        ...early,
      ]) {
        await database.query(sql);
      }
      await migrate(database, 8);
      expect(await database.query('select * from early_task')).toEqual([]);
      expect(await database.query('select * from cursor')).toHaveLength(cursors);
      await migrate(database);
      // Step 17 resets it in any case.
      expect(await database.query('select * from cursor')).toEqual([]);
      const remaining = await database.query('select record_id from paragraph');
      expect(remaining.map(({ record_id }) => record_id)).toEqual(['known']);
      await createStores(database).records.deleteAccountData('u');
      expect(await database.query('select * from paragraph')).toEqual([]);
    }
  });

  it('rejects a newer app’s database', async () => {
    const database = await openNodeSqlite(':memory:');
    await database.query(`pragma user_version = ${SCHEMA_VERSION + 1}`);
    await expect(migrate(database)).rejects.toThrow(RangeError);
  });
});

import { type SqlDatabase, SqlError } from '../database.ts';

/** The interface to the test runner. The suite runs in Node and in a browser page. */
export type Harness = {
  test(name: string, run: () => Promise<void>): void;
  /** Opens the database, which is empty on the first call. Later calls open the same database. */
  open(): Promise<SqlDatabase>;
};

function expectEqual(actual: unknown, expected: unknown): void {
  const actualJson = JSON.stringify(actual);
  const expectedJson = JSON.stringify(expected);
  if (actualJson !== expectedJson) throw new Error(`expected ${expectedJson}, got ${actualJson}`);
}

async function catchErrorCode(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return 'none';
  } catch (error) {
    return error instanceof SqlError ? error.code : `not an SqlError: ${error}`;
  }
}

/** Tests that an {@link SqlDatabase} fulfills its contract. */
export function sqlDatabaseContract({ test, open }: Harness): void {
  test('preserves values, including bytes and null', async () => {
    const database = await open();
    await database.batch([
      ['create table stored (a text, b integer, c real, d blob, e text)'],
      [
        'insert into stored values (?, ?, ?, ?, ?)',
        ['ö🐦', 2 ** 40, 0.1, new Uint8Array([0, 255]), null],
      ],
    ]);
    const [row] = await database.query('select * from stored');
    expectEqual([row?.a, row?.b, row?.c, row?.e], ['ö🐦', 2 ** 40, 0.1, null]);
    expectEqual([...((row?.d ?? []) as Iterable<number>)], [0, 255]);
    await database.close();
  });

  test('runs a batch atomically', async () => {
    const database = await open();
    await database.batch([['create table once (id integer primary key)']]);
    const attempt = database.batch([
      ['insert into once values (1)'],
      ['insert into once values (2)'],
      ['insert into once values (1)'],
    ]);
    expectEqual(await catchErrorCode(attempt), 'constraint');
    expectEqual(await database.query('select count(*) as n from once'), [{ n: 0 }]);
    await database.batch([['insert into once values (3)']]);
    expectEqual(await database.query('select id from once'), [{ id: 3 }]);
    await database.close();
  });

  test('returns the rows of each statement of a batch', async () => {
    const database = await open();
    expectEqual(await database.batch([['select 1 as a'], ['select ? as b', ['x']]]), [
      [{ a: 1 }],
      [{ b: 'x' }],
    ]);
    await database.close();
  });

  test('serializes concurrent batches', async () => {
    const database = await open();
    await database.batch([
      ['create table counter (n integer)'],
      ['insert into counter values (0)'],
    ]);
    await Promise.all(
      Array.from({ length: 20 }, () => database.batch([['update counter set n = n + 1']])),
    );
    expectEqual(await database.query('select n from counter'), [{ n: 20 }]);
    await database.close();
  });

  test('runs a statement again with other values, after a failure, and after a schema change', async () => {
    const database = await open();
    await database.batch([['create table repeated (id integer primary key, name text)']]);
    const insert = 'insert into repeated (id, name) values (?, ?)';
    const selectAll = 'select * from repeated order by id';
    await database.batch([
      [insert, [1, 'one']],
      [insert, [2, null]],
    ]);
    expectEqual(await catchErrorCode(database.batch([[insert, [1, 'again']]])), 'constraint');
    await database.batch([[insert, [3, 'three']]]);
    expectEqual(await database.query(selectAll), [
      { id: 1, name: 'one' },
      { id: 2, name: null },
      { id: 3, name: 'three' },
    ]);
    await database.batch([['alter table repeated add column size integer not null default 4']]);
    expectEqual(await database.query(`${selectAll} limit 1`), [{ id: 1, name: 'one', size: 4 }]);
    expectEqual(await database.query(selectAll), [
      { id: 1, name: 'one', size: 4 },
      { id: 2, name: null, size: 4 },
      { id: 3, name: 'three', size: 4 },
    ]);
    await database.close();
  });

  test('rejects an invalid statement with the code failed', async () => {
    const database = await open();
    expectEqual(await catchErrorCode(database.query('selec 1')), 'failed');
    await database.close();
  });

  test('rejects with the code closed after closing the connection, and retains the data', async () => {
    const database = await open();
    await database.batch([
      ['create table retained (id integer)'],
      ['insert into retained values (7)'],
    ]);
    await database.close();
    expectEqual(await catchErrorCode(database.query('select 1')), 'closed');
    expectEqual(await catchErrorCode(database.batch([['select 1']])), 'closed');
    const reopened = await open();
    expectEqual(await reopened.query('select id from retained'), [{ id: 7 }]);
    await reopened.close();
  });
}

import sqlite3InitModule, { type Database } from '@sqlite.org/sqlite-wasm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SqlRow, SqlValue } from '../database.ts';
import { createStatementRunner, type StatementRunner } from './wasm-statements.ts';

let run: StatementRunner;
let database: Database;

beforeAll(async () => {
  const sqlite3 = await sqlite3InitModule();
  run = createStatementRunner(sqlite3);
  database = new sqlite3.oo1.DB(':memory:');
});
afterAll(() => database.close());

function runOnce(sql: string, values: readonly SqlValue[] = []): SqlRow[] {
  const statement = database.prepare(sql);
  try {
    return run(database, statement, values);
  } finally {
    statement.finalize();
  }
}

/** Runs a query that returns one row with the methods of the library. */
function runWithLibrary(sql: string, values: readonly SqlValue[]): SqlRow {
  const statement = database.prepare(sql);
  statement.bind([...values]).step();
  const row = statement.get({}) as SqlRow;
  statement.finalize();
  return row;
}

const value: fc.Arbitrary<SqlValue> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !text.startsWith('\ufeff')),
  fc.constantFrom('', 'null\0inside', '\ud800', '🐦'),
  fc.maxSafeInteger(),
  fc.integer(),
  fc.double({ noNaN: true, noInteger: true }),
  fc.uint8Array({ maxLength: 40 }),
  fc.constant(null),
);

describe('createStatementRunner', () => {
  it('stores and returns the same values as the methods of the library', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 12 }), (values) => {
        const columns = values.map(
          (_, n) =>
            `?${n + 1} as value${n}, typeof(?${n + 1}) as type${n}, hex(?${n + 1}) as hex${n}`,
        );
        const sql = `select ${columns.join(', ')}`;
        expect(runOnce(sql, values)).toEqual([runWithLibrary(sql, values)]);
      }),
    );
  });

  it('preserves a byte order mark, which the library removes', () => {
    expect(runOnce('select ? as text', ['\ufeffmarked'])).toEqual([{ text: '\ufeffmarked' }]);
  });

  it('runs a statement again with longer and shorter values', () => {
    const statement = database.prepare('select ? as a, ? as b');
    for (const length of [3, 1_000_000, 0, 70_000]) {
      const [a, b] = ['ä'.repeat(length), new Uint8Array(length).fill(7)];
      expect(run(database, statement, [a, b])).toEqual([{ a, b }]);
    }
    statement.finalize();
  });

  it('returns all rows with the columns of the current schema', () => {
    runOnce('create table item (id integer primary key)');
    const insert = database.prepare('insert into item values (?)');
    const select = database.prepare('select * from item');
    for (const id of [1, 2]) expect(run(database, insert, [id])).toEqual([]);
    expect(run(database, select, [])).toEqual([{ id: 1 }, { id: 2 }]);
    runOnce("alter table item add column name text default 'n'");
    expect(run(database, select, [])).toEqual([
      { id: 1, name: 'n' },
      { id: 2, name: 'n' },
    ]);
    for (const each of [insert, select]) each.finalize();
  });

  it.each([true, 1n, [1, 2], new ArrayBuffer(4)])(
    'rejects a value of another type: %s',
    (other) => {
      const values = [other, 'text'] as unknown as SqlValue[];
      expect(() => runOnce('select ?, ?', values)).toThrow(TypeError);
      expect(runOnce('select ? as text', ['text'])).toEqual([{ text: 'text' }]);
    },
  );

  it('throws SQLite’s error with its code', () => {
    runOnce('create table once (id integer primary key) strict');
    runOnce('insert into once values (1)');
    const code = (values: readonly SqlValue[]) => {
      try {
        runOnce('insert into once values (?)', values);
      } catch (error) {
        return (error as { readonly resultCode?: number }).resultCode;
      }
    };
    // SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_MISMATCH and SQLITE_RANGE (sqlite.org/rescode.html).
    expect([code([1]), code(['text']), code([2, 3])]).toEqual([1555, 20, 25]);
    expect(runOnce('select id from once')).toEqual([{ id: 1 }]);
  });
});

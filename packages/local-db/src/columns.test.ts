import { describe, expect, it } from 'vitest';
import { openNodeSqlite } from './adapters/node-sqlite.ts';
import { bytes, json, number, oneOf, orNull, text } from './columns.ts';
import { migrate } from './migrations.ts';
import { readDetail, recordColumns, selectDetail } from './rows.ts';

describe('column readers', () => {
  it('return values of their type', () => {
    expect(text('')).toBe('');
    expect(number(0)).toBe(0);
    expect(bytes(new Uint8Array(2))).toHaveLength(2);
    expect(json('{"a":1}')).toEqual({ a: 1 });
    expect(oneOf(0, 2)(2)).toBe(2);
    expect(orNull(text)(null)).toBeNull();
  });

  it.each([
    ['text', () => text(1)],
    ['a number', () => number('1')],
    ['a blob', () => bytes('')],
    ['text', () => json(null)],
    ['kept or deleted', () => oneOf('kept', 'deleted')('unknown')],
    ['text', () => orNull(text)(undefined)],
  ])('reject a value that is not %s', (type, read) => {
    expect(read).toThrow(new RegExp(`^expected ${type} in a column, found `));
  });
});

it('reads all record columns, including default values', async () => {
  const database = await openNodeSqlite(':memory:');
  await migrate(database);
  await database.query(
    "insert into record (id, uid, create_date, update_date) values ('r', 'u', '', '')",
  );
  const [row] = await database.query(`${selectDetail} where id = 'r'`);
  if (!row) throw new Error('no row');
  const receipt = { since: { recorder: null, phone: null, cloud: null }, deletions: [] };
  const detail = readDetail(row, { content: [], receipt });
  for (const name of Object.keys(recordColumns)) expect(detail).toHaveProperty(name);
  const columns = await database.query("select name from pragma_table_info('record')");
  const unknown = Object.keys(recordColumns).filter(
    (name) => !columns.some((each) => each.name === name),
  );
  expect(unknown).toEqual([]);
  await database.close();
});

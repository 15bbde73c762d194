import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openNodeSqlite } from './adapters/node-sqlite.ts';
import { Commits } from './commits.ts';
import type { SqlDatabase } from './database.ts';

let database: SqlDatabase;
let commits: Commits;
let notifications: number;

beforeEach(async () => {
  vi.useFakeTimers();
  database = await openNodeSqlite(':memory:');
  await database.query('create table number (value integer)');
  const next = async () => ({ statements: [], records: [] });
  commits = new Commits(database, { settle: () => [], next }, (error) => {
    throw error;
  });
  notifications = 0;
  commits.subscribe(() => {
    notifications += 1;
  });
});

afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

const write = (hasMore?: boolean) =>
  commits.write(() => ({
    statements: [['insert into number values (1)']],
    records: ['a'],
    ...(hasMore !== undefined && { hasMore }),
  }));

describe('Commits', () => {
  it('notifies subscribers after each transaction', async () => {
    await write();
    await write();
    expect(notifications).toBe(2);
  });

  it('notifies subscribers periodically while more transactions follow, and after the last one', async () => {
    let committed = 0;
    commits.onCommit(() => {
      committed += 1;
    });
    for (let count = 0; count < 10; count += 1) await write(true);
    expect([committed, notifications]).toEqual([10, 1]);
    vi.advanceTimersByTime(499);
    expect(notifications).toBe(1);
    vi.advanceTimersByTime(1);
    expect(notifications).toBe(2);
    await write(true);
    expect(notifications).toBe(2);
    await write();
    expect(notifications).toBe(3);
    vi.advanceTimersByTime(10_000);
    expect(notifications).toBe(3);
  });

  it('notifies subscribers at the end of the interval even if no transaction follows', async () => {
    await write(true);
    await write(true);
    expect(notifications).toBe(1);
    vi.advanceTimersByTime(500);
    expect(notifications).toBe(2);
    vi.advanceTimersByTime(500);
    await write(true);
    expect(notifications).toBe(3);
  });
});

import { sql } from 'kysely';
import { expect, inject, it, vi } from 'vitest';
import { createTestDatabase, execute } from '../../test/template-database.ts';
import { openDatabase } from './database.ts';

it('reports the loss of a connection held by a transaction, and continues with another connection', async () => {
  const { url, drop } = await createTestDatabase(inject('postgresUrl'));
  const lost: Error[] = [];
  const { db } = openDatabase(url, (error) => lost.push(error));
  const transaction = db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    await execute(url, 'select pg_terminate_backend($1)', [rows[0]?.pid]);
    // No query is running when the message arrives.
    await vi.waitUntil(() => lost.length > 0, { timeout: 60_000 });
    await sql`select 1`.execute(trx);
  });
  await expect(transaction).rejects.toThrow();
  expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await db.destroy();
  await drop();
});

import { migrate, openReopening, type SqlDatabase } from '@linnet/local-db';
import { openSqliteWasm } from '@linnet/local-db/sqlite-wasm';

const DATABASE_FILE = '/linnet.sqlite3';

/**
 * Opens the on-device database in its worker and brings it up to date. Call only while holding the lead
 * over other tabs: the file can be open once.
 * @param store the folder of all that is one server's
 * @throws SqlError
 */
export async function openDatabase(store: string): Promise<SqlDatabase> {
  const worker = new Worker(new URL('./database.worker.ts', import.meta.url), {
    type: 'module',
    name: store,
  });
  const database = await openReopening(() => openSqliteWasm(worker, DATABASE_FILE));
  await migrate(database);
  return {
    ...database,
    async close() {
      await database.close();
      worker.terminate();
    },
  };
}

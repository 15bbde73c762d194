import { migrate, openWithReconnect, type SqlDatabase } from '@linnet/local-db';
import { openSqliteWasm } from '@linnet/local-db/sqlite-wasm';

const DATABASE_FILE = '/linnet.sqlite3';

/**
 * Opens the on-device database in a worker and migrates it. The caller must hold the tab lock, because the file can be
 * opened only once.
 * @param store name of the folder for this server's files
 * @throws SqlError
 */
export async function openDatabase(store: string): Promise<SqlDatabase> {
  const worker = new Worker(new URL('./database.worker.ts', import.meta.url), {
    type: 'module',
    name: store,
  });
  const database = await openWithReconnect(() => openSqliteWasm(worker, DATABASE_FILE));
  await migrate(database);
  return {
    ...database,
    async close() {
      await database.close();
      worker.terminate();
    },
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeStoreContract } from '@linnet/sync/testing';
import { afterAll, describe, test } from 'vitest';
import { openNodeSqlite } from './adapters/node-sqlite.ts';
import { migrate } from './migrations.ts';
import { createStores } from './stores.ts';

const dir = mkdtempSync(join(tmpdir(), 'linnet-changes-'));
afterAll(() => rmSync(dir, { recursive: true }));

describe('changes in SQLite', () => {
  changeStoreContract({
    test,
    open: async (now) => {
      const database = await openNodeSqlite(join(dir, 'contract.sqlite3'));
      await migrate(database);
      return createStores(database, now);
    },
  });
});

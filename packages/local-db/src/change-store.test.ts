import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeStoreContract } from '@linnet/sync/testing';
import { afterAll, describe, expect, test } from 'vitest';
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

  test('after a restart, what the server was not told yet was done by one who had seen nothing', async () => {
    const database = await openNodeSqlite(join(dir, 'restart.sqlite3'));
    await migrate(database);
    const { changes } = createStores(database);
    const setting = { group_name: 'g', config_key: 'k', config_value: 'v' };
    const page = { changes: [{ kind: 'setting', rev: 7, setting } as const], more: false };
    for (const uid of ['owner', 'another']) {
      await changes.take(uid, undefined, { ...page, cursor: '7' });
      await changes.edit(uid, { type: 'setting.set', ...setting, config_value: 'mine' });
    }
    const [before] = await changes.pending('owner');
    expect(before).toMatchObject({ base_rev: 7, config_value: 'mine' });
    await changes.restart('owner');
    expect(await changes.pending('owner')).toEqual([{ ...before, base_rev: 0 }]);
    expect(await changes.pending('another')).toMatchObject([{ base_rev: 7 }]);
  });
});

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

describe('createChangeStore', () => {
  changeStoreContract({
    test,
    open: async (now) => {
      const database = await openNodeSqlite(join(dir, 'contract.sqlite3'));
      await migrate(database);
      return createStores(database, now);
    },
  });

  test('stores when a recording was moved to the recycle bin, regardless of later changes', async () => {
    const database = await openNodeSqlite(':memory:');
    await migrate(database);
    let at = '2026-01-01T00:00:00.000Z';
    const { records, changes } = createStores(database, () => at);
    const seed = { id: 'r', uid: 'owner', sn: '', deviceFileId: 1, createDate: at, seconds: 1 };
    await records.ensure({ ...seed, source: 'recorder', scene: 'call', audioBytes: 0 });
    const binnedAt = async () => (await records.binned('owner')).map(({ binnedAt }) => binnedAt);
    at = '2026-01-02T00:00:00.000Z';
    await changes.edit('owner', { type: 'recording.bin', recording: 'r' });
    at = '2026-01-03T00:00:00.000Z';
    await records.update('r', { process: 100 });
    await changes.edit('owner', { type: 'recording.rename', recording: 'r', name: 'Later' });
    expect(await binnedAt()).toEqual(['2026-01-02T00:00:00.000Z']);
    await changes.edit('owner', { type: 'recording.recover', recording: 'r' });
    expect(await binnedAt()).toEqual([]);
    at = '2026-01-04T00:00:00.000Z';
    await changes.edit('owner', { type: 'recording.bin', recording: 'r' });
    expect(await binnedAt()).toEqual([at]);
  });

  test('adds the date to a base that was stored before dates could be edited', async () => {
    const database = await openNodeSqlite(':memory:');
    await migrate(database);
    const at = '2026-01-01T00:00:00.000Z';
    const { records, changes } = createStores(database, () => at);
    const seed = { id: 'r', uid: 'owner', sn: '', deviceFileId: 1, createDate: at, seconds: 1 };
    await records.ensure({ ...seed, source: 'recorder', scene: 'call', audioBytes: 0 });
    await changes.edit('owner', { type: 'recording.rename', recording: 'r', name: 'Refused' });
    const removeDate = `update record set base = json_remove(base, '$.create_date')`;
    await database.query(removeDate);
    // The operation stays queued, because the server doesn't know the recording yet.
    const [operation] = await database.query('select op_id from operation');
    const refusal = { outcome: 'refused', rev: 0, code: 1, msg: '' } as const;
    await changes.acknowledge('owner', [{ op_id: String(operation?.op_id), ...refusal }]);
    await changes.applyPage('owner', undefined, { changes: [], more: false, cursor: '1' });
    expect(await records.detail('r')).toMatchObject({ title: '', create_date: at });
  });

  test('resets the base revision of pending operations on restart', async () => {
    const database = await openNodeSqlite(join(dir, 'restart.sqlite3'));
    await migrate(database);
    const { changes } = createStores(database);
    const setting = { group_name: 'g', config_key: 'k', config_value: 'v' };
    const page = { changes: [{ kind: 'setting', rev: 7, setting } as const], more: false };
    for (const uid of ['owner', 'another']) {
      await changes.applyPage(uid, undefined, { ...page, cursor: '7' });
      await changes.edit(uid, { type: 'setting.set', ...setting, config_value: 'mine' });
    }
    const [before] = await changes.pending('owner');
    expect(before).toMatchObject({ base_rev: 7, config_value: 'mine' });
    await changes.restart('owner');
    expect(await changes.pending('owner')).toEqual([{ ...before, base_rev: 0 }]);
    expect(await changes.pending('another')).toMatchObject([{ base_rev: 7 }]);
  });
});

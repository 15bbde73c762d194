import type { Folder, FolderFile } from '@linnet/sync';
import { expect, it } from 'vitest';
import { openNodeSqlite } from './adapters/node-sqlite.ts';
import { migrate } from './migrations.ts';
import { createStores } from './stores.ts';

const uid = 'owner';
const folder: Folder = { id: 'f', uid, name: 'RECORDER', retention: 'keep' };
const imported: FolderFile = {
  path: 'A/001.MP3',
  size: 5_000_000_000,
  modifiedAt: 1_770_000_000_123,
  result: { status: 'imported', recordId: 'r', sha256: 'ab'.repeat(32) },
};
const failed: FolderFile = {
  ...imported,
  path: 'B/002.MP3',
  result: { status: 'failed', code: 'not_audio' },
};

async function open() {
  const database = await openNodeSqlite(':memory:');
  await migrate(database);
  return createStores(database);
}

it('stores folders of several accounts in order', async () => {
  const { folders } = await open();
  const secondFolder = { ...folder, id: 'a' };
  for (const each of [folder, secondFolder, { ...folder, id: 'x', uid: 'another' }]) {
    await folders.add(each);
  }
  expect(await folders.list(uid)).toEqual([folder, secondFolder]);
  await folders.setRetention('f', 'delete');
  expect(await folders.list(uid)).toEqual([{ ...folder, retention: 'delete' }, secondFolder]);
  expect(await folders.ids()).toEqual(new Set(['f', 'a', 'x']));
});

it('stores and replaces files, and deletes them with their folder', async () => {
  const { folders } = await open();
  await folders.add(folder);
  await folders.putFile('f', { ...failed, path: imported.path });
  await folders.putFile('f', imported);
  await folders.putFile('f', failed);
  expect([...(await folders.files('f')).values()]).toEqual([imported, failed]);
  await folders.removeFile('f', failed.path);
  expect([...(await folders.files('f')).keys()]).toEqual([imported.path]);
  await folders.remove('f');
  // A scan still in progress must not restore the folder.
  await folders.putFile('f', imported);
  expect([await folders.list(uid), (await folders.files('f')).size]).toEqual([[], 0]);
});

it('deletes a closed account’s folders', async () => {
  const { folders, records } = await open();
  await folders.add(folder);
  await folders.add({ ...folder, id: 'x', uid: 'another' });
  await folders.putFile('f', imported);
  await records.deleteAccountData(uid);
  expect([await folders.ids(), (await folders.files('f')).size]).toEqual([new Set(['x']), 0]);
});

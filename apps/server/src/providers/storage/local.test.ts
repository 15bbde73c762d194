import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Upload } from '@tus/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { objectStoreContract } from './contract-suite.ts';
import { openLocalStore } from './local.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'linnet-store-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

objectStoreContract('local', () => openLocalStore(dataDir));

it('leaves no partial objects behind', async () => {
  expect(await readdir(path.join(dataDir, 'objects', '.partial'))).toEqual([]);
});

it('removes files left by killed uploads, and nothing more recent', async () => {
  const partials = path.join(dataDir, 'objects', '.partial');
  await writeFile(path.join(partials, 'old'), 'x');
  await writeFile(path.join(partials, 'young'), 'x');
  const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(path.join(partials, 'old'), twoHoursAgo, twoHoursAgo);
  await openLocalStore(dataDir);
  expect(await readdir(partials)).toEqual(['young']);
});

it('lists the objects with a prefix without reading any others', async () => {
  const store = await openLocalStore(dataDir);
  const other = path.join(dataDir, 'objects', 'other');
  await mkdir(other);
  // Any attempt to stat this symlink fails.
  await symlink('loop', path.join(other, 'loop'));
  await writeFile(path.join(dataDir, 'objects', 'ready-made'), 'x');
  const listKeys = async (prefix: string) => {
    const keys = [];
    for await (const { key } of store.list(prefix)) keys.push(key);
    return keys;
  };
  await expect(listKeys('')).rejects.toMatchObject({ code: 'ELOOP' });
  await expect(listKeys('oth')).rejects.toMatchObject({ code: 'ELOOP' });
  expect(await listKeys('ready')).toEqual(['ready-made']);
  expect(await listKeys('ready/')).toEqual([]);
  await rm(other, { recursive: true });
});

it('deletes uploads that were started a day ago and never finished', async () => {
  const { uploads } = await openLocalStore(dataDir);
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const begin = (key: string, hours: number) =>
    uploads.create(
      new Upload({ id: `voice/${key}.ogg`, size: 9, offset: 0, creation_date: hoursAgo(hours) }),
    );
  await begin('young', 23);
  await begin('old', 25);
  expect(await uploads.deleteExpired()).toBe(1);
  expect((await uploads.getUpload('voice/young.ogg')).size).toBe(9);
  await expect(uploads.getUpload('voice/old.ogg')).rejects.toMatchObject({ status_code: 404 });
});

import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dayMs } from '../../calendar.ts';
import { createScratchFolders } from './scratch-folders.ts';

async function createDataDir(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'linnet-scratch-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return dataDir;
}

test('creates a folder for each conversion, and deletes folders from earlier days', async () => {
  const dataDir = await createDataDir();
  const [old, recent] = [
    await createScratchFolders(dataDir)(),
    await createScratchFolders(dataDir)(),
  ];
  const yesterday = new Date(Date.now() - dayMs - 1000);
  await utimes(old, yesterday, yesterday);
  const created = await createScratchFolders(dataDir)();
  expect((await readdir(path.dirname(old))).sort()).toEqual(
    [recent, created].map((folder) => path.basename(folder)).sort(),
  );
});

test('recovers once the cause of a failure is resolved', async () => {
  const dataDir = await createDataDir();
  const createScratchFolder = createScratchFolders(dataDir);
  const obstacle = path.join(dataDir, 'scratch');
  await writeFile(obstacle, '');
  await expect(createScratchFolder()).rejects.toThrow();
  await rm(obstacle);
  expect(await readdir(await createScratchFolder())).toEqual([]);
});

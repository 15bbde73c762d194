import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { objectStoreContract } from './contract-suite.ts';
import { openLocalStore } from './local.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'linnet-store-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

objectStoreContract('local', () => openLocalStore(dataDir));

it('leaves no half objects behind', async () => {
  expect(await readdir(path.join(dataDir, 'objects', '.partial'))).toEqual([]);
});

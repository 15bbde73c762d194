import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { knownOmi } from '../omi/known-omi.ts';
import { storedBlocks } from '../omi/stored-blocks.ts';
import { knownPocket } from '../pocket/known-pocket.ts';
import { transferredFiles } from '../pocket/transferred-files.ts';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { type AccountSessionOptions, createAccountSession } from './session.ts';

beforeEach(() => void stubLocalStorage());
afterEach(() => vi.unstubAllGlobals());

it("forgets a deleted account's recorders and the data stored from them", async () => {
  const database = await openNodeSqlite(':memory:');
  await migrate(database);
  const { records, changes } = createStores(database);
  for (const uid of ['closed', 'open']) {
    knownOmi.remember({ kind: 'web-bluetooth', deviceId: 'emulated', name: 'Omi', uid });
    const mark = { count: 1, hash: 1 };
    const key = 'AbCdEfGh12345678';
    const pocket = { kind: 'web-bluetooth', deviceId: 'emulated', name: 'PKT01' } as const;
    knownPocket.remember({ ...pocket, uid, key, isKeyProven: true });
    transferredFiles.set(uid, 'PKT01', ['20260328001919-1']);
    storedBlocks.set({ uid, serial: 'OMI-emulated', next: 1, mark, recordings: [] });
  }
  // Without a signed-in account, only the stores are used.
  const session = createAccountSession({ records, changes } as AccountSessionOptions);
  await session.forget('closed');
  expect(knownOmi.get('closed')).toBeNull();
  expect(storedBlocks.get('closed', 'OMI-emulated')).toBeNull();
  expect(knownPocket.get('closed')).toBeNull();
  expect(transferredFiles.get('closed', 'PKT01').size).toBe(0);
  expect(knownPocket.get('open')).not.toBeNull();
  expect(transferredFiles.get('open', 'PKT01').size).toBe(1);
  expect(knownOmi.get('open')).not.toBeNull();
  expect(storedBlocks.get('open', 'OMI-emulated')).not.toBeNull();
  await database.close();
});

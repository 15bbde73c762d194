import type { ChangeStore, FolderStore, RecordStore, SearchStore } from '@linnet/sync';
import { createChangeStore } from './change-store.ts';
import { Commits } from './commits.ts';
import type { SqlDatabase } from './database.ts';
import { createFolderStore } from './folder-store.ts';
import { createRecordStore } from './record-store.ts';
import { createSearchStore } from './search/search-store.ts';
import { insertNames, markQuotingSummariesCurrent } from './speaker-names/naming.ts';
import { createVaultStore, type VaultStore } from './vault-store.ts';

/** Whether the last transaction found enough disk space. */
export type DiskSpace = { get(): 'enough' | 'none'; subscribe(listener: () => void): () => void };

/**
 * Creates all stores on one SQLite database. The database must be migrated and have no other writer.
 * @param onError called with failures to update derived data, which don't reject any call
 */
export function createStores(
  database: SqlDatabase,
  now: () => string = () => new Date().toISOString(),
  onError: (error: unknown) => void = console.error,
): {
  records: RecordStore;
  changes: ChangeStore;
  search: SearchStore;
  folders: FolderStore;
  vaults: VaultStore;
  diskSpace: DiskSpace;
} {
  const commits = new Commits(
    database,
    {
      settle: (changed) => [markQuotingSummariesCurrent(changed)],
      next: (changed) => insertNames(database, changed, onError),
    },
    onError,
  );
  return {
    records: createRecordStore(database, commits),
    changes: createChangeStore(database, commits, now),
    search: createSearchStore(database, commits),
    folders: createFolderStore(database, commits),
    vaults: createVaultStore(database, commits),
    diskSpace: {
      get: () => (commits.hasDiskSpace ? 'enough' : 'none'),
      subscribe: (listener) => commits.subscribeToDiskSpace(listener),
    },
  };
}

import type { ChangeStore, RecordStore, SearchStore } from '@linnet/sync';
import { createChangeStore } from './change-store.ts';
import { Commits } from './commits.ts';
import type { SqlDatabase } from './database.ts';
import { createRecordStore } from './record-store.ts';

/**
 * Records, and what owners and the server change in them, in one SQLite database, which must have been
 * migrated and has no other writer.
 */
export function createStores(
  database: SqlDatabase,
  now: () => string = () => new Date().toISOString(),
): { records: RecordStore; changes: ChangeStore; search: SearchStore } {
  const commits = new Commits(database);
  return {
    records: createRecordStore(database, commits),
    changes: createChangeStore(database, commits, now),
    search: lateSearch(database, commits),
  };
}

/** Search is code of its own, loaded when something is first indexed: sign-in and lists do without. */
function lateSearch(database: SqlDatabase, commits: Commits): SearchStore {
  let loading: Promise<SearchStore> | null = null;
  async function load(): Promise<SearchStore> {
    try {
      const { createSearchStore } = await import('./search/search-store.ts');
      return createSearchStore(database, commits);
    } catch (error) {
      // The code did not come: the next one who asks tries again.
      loading = null;
      throw error;
    }
  }
  const store = () => {
    loading ??= load();
    return loading;
  };
  return {
    find: async (...what) => (await store()).find(...what),
    catchUp: async () => (await store()).catchUp(),
    whereabouts: async (ids) => (await store()).whereabouts(ids),
  };
}

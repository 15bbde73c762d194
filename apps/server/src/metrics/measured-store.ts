import type { ObjectStore } from '../providers/storage/port.ts';
import { StorageFailure } from '../providers/storage/port.ts';
import type { Metrics } from './metrics.ts';

/** Wraps a store to count and time its operations. */
export function measureStore(store: ObjectStore, metrics: Metrics): ObjectStore {
  async function measure<Result>(operation: string, run: () => Promise<Result>): Promise<Result> {
    const start = performance.now();
    let outcome = 'ok';
    try {
      return await run();
    } catch (error) {
      outcome = error instanceof StorageFailure ? error.code : 'failed';
      throw error;
    } finally {
      metrics.storage(operation, outcome, (performance.now() - start) / 1000);
    }
  }
  return {
    ...store,
    put: (...args) => measure('put', () => store.put(...args)),
    stat: (...args) => measure('stat', () => store.stat(...args)),
    read: (...args) => measure('read', () => store.read(...args)),
    delete: (...args) => measure('delete', () => store.delete(...args)),
  };
}

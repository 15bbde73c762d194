import type { ObjectStore } from '../providers/storage/port.ts';
import type { JobHandler } from './jobs.ts';

/**
 * Creates the "delete-objects" job, which deletes objects after the transaction that removed the last reference to them
 * has committed.
 */
export function deleteObjectsJob(store: ObjectStore): JobHandler<'delete-objects'> {
  return async ({ keys }, signal) => {
    for (const key of keys) {
      signal.throwIfAborted();
      await store.delete(key);
    }
  };
}

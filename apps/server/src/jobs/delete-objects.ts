import type { ObjectStore } from '../providers/storage/port.ts';
import type { JobHandler } from './jobs.ts';

/** The job "delete-objects": deletes objects after the transaction that dropped their last reference. */
export function deleteObjectsJob(store: ObjectStore): JobHandler<'delete-objects'> {
  return async ({ keys }, signal) => {
    for (const key of keys) {
      signal.throwIfAborted();
      await store.delete(key);
    }
  };
}

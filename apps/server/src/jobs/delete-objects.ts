import type { ObjectStore } from '../providers/storage/port.ts';
import type { JobHandler } from './jobs.ts';

/** The job "delete-objects": what a transaction no longer points to is deleted after it committed. */
export function deleteObjectsJob(store: ObjectStore): JobHandler<'delete-objects'> {
  return async ({ keys }, signal) => {
    for (const key of keys) {
      signal.throwIfAborted();
      await store.delete(key);
    }
  };
}

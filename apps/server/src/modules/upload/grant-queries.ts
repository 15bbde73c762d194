import type { ObjectType } from '@linnet/contract/statuses';
import type { Database, Queries } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';
import type { Addresses } from './addresses.ts';

export interface StoredObjectDependencies {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly addresses: Pick<Addresses, 'parseKey'>;
}

/**
 * Finds the stored object that a client's URL refers to. The key must have been issued to the account for this type of
 * object.
 * @throws CallError keyNotIssued, objectMissing, tooLarge
 */
export async function findStoredObject(
  { db, store, addresses }: StoredObjectDependencies,
  accountId: string,
  url: string,
  type: ObjectType,
): Promise<{ readonly key: string; readonly ext: string; readonly size: number }> {
  const key = addresses.parseKey(url);
  const grant = key === null ? undefined : await findGrant(db, accountId, key, type);
  if (!grant) throw new CallError('keyNotIssued');
  const object = await store.stat(grant.key);
  if (!object) throw new CallError('objectMissing');
  // COS clients sign their forms themselves, so the server can't verify the size any earlier.
  if (object.size > grant.max_size) throw new CallError('tooLarge');
  return { key: grant.key, ext: grant.ext, size: object.size };
}

/** Finds the upload grant for a key that was issued to the account for this type of object. */
export function findGrant(queries: Queries, accountId: string, key: string, type: ObjectType) {
  return queries
    .selectFrom('upload_leaves')
    .select(['key', 'ext', 'max_size'])
    .where('key', '=', key)
    .where('account_id', '=', accountId)
    .where('type', '=', type)
    .executeTakeFirst();
}

/** Returns whether a key is used by a recording's audio or a task's substitute audio. */
export async function isKeyInUse(queries: Queries, key: string): Promise<boolean> {
  const usage = await queries
    .selectFrom('recordings')
    .select('id')
    .where('object_key', '=', key)
    .unionAll(queries.selectFrom('tasks').select('id').where('audio_key', '=', key))
    .executeTakeFirst();
  return usage !== undefined;
}

/** Finds the upload grant for a key, with the ID of the recording registered from its object, if any. */
export function findGrantWithRecording(db: Database, key: string) {
  return db
    .selectFrom('upload_leaves')
    .leftJoin('recordings', 'recordings.object_key', 'upload_leaves.key')
    .select(['upload_leaves.account_id', 'max_size', 'recordings.id as recording_id'])
    .where('key', '=', key)
    .executeTakeFirst();
}

import type { ObjectType } from '@linnet/contract/statuses';
import type { Database, Queries } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';
import type { Addresses } from './addresses.ts';

export interface IssuedParts {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly addresses: Pick<Addresses, 'keyOf'>;
}

/**
 * Finds the stored object of a URL whose key was issued to this account for this kind of object.
 * @throws CallError keyNotIssued, objectMissing, tooLarge
 */
export async function storedObject(
  { db, store, addresses }: IssuedParts,
  accountId: string,
  url: string,
  type: ObjectType,
): Promise<{ readonly key: string; readonly ext: string; readonly size: number }> {
  const key = addresses.keyOf(url);
  const grant = key === null ? undefined : await issuedGrant(db, accountId, key, type);
  if (!grant) throw new CallError('keyNotIssued');
  const found = await store.stat(grant.key);
  if (!found) throw new CallError('objectMissing');
  // With COS, clients sign their own forms, so the size is first verified here.
  if (found.size > grant.max_size) throw new CallError('tooLarge');
  return { key: grant.key, ext: grant.ext, size: found.size };
}

/** The upload grant of a key, if it was issued to this account for this kind of object. */
export function issuedGrant(queries: Queries, accountId: string, key: string, type: ObjectType) {
  return queries
    .selectFrom('upload_leaves')
    .select(['key', 'ext', 'max_size'])
    .where('key', '=', key)
    .where('account_id', '=', accountId)
    .where('type', '=', type)
    .executeTakeFirst();
}

/** Whether a key is used by a recording's audio or by a task's substitute audio. */
export async function isUsed(queries: Queries, key: string): Promise<boolean> {
  const user = await queries
    .selectFrom('recordings')
    .select('id')
    .where('object_key', '=', key)
    .unionAll(queries.selectFrom('tasks').select('id').where('audio_key', '=', key))
    .executeTakeFirst();
  return user !== undefined;
}

/** An upload grant, with the recording made from its object. */
export function grantAndUse(db: Database, key: string) {
  return db
    .selectFrom('upload_leaves')
    .leftJoin('recordings', 'recordings.object_key', 'upload_leaves.key')
    .select(['upload_leaves.account_id', 'max_size', 'recordings.id as recording_id'])
    .where('key', '=', key)
    .executeTakeFirst();
}

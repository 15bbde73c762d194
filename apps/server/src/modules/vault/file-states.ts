/** Stores the states of a vault's files in the database. */
import { nameKey } from '@linnet/vault/file-name';
import type { FileState, FileStates } from '@linnet/vault/update-file';
import type { Queries, Row } from '../../db/database.ts';

export function fileStates(db: Queries, vaultId: string): FileStates {
  return {
    async read(recordingId) {
      const row = await db
        .selectFrom('vault_files')
        .selectAll()
        .where('vault_id', '=', vaultId)
        .where('recording_id', '=', recordingId)
        .executeTakeFirst();
      return row ? toState(row) : null;
    },
    async add(recordingId, name) {
      const row = await db
        .insertInto('vault_files')
        .values({
          vault_id: vaultId,
          recording_id: recordingId,
          name,
          name_key: nameKey(name),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return toState(row);
    },
    async store(recordingId, { name, nextName, digest, nextDigest, failure }) {
      await db
        .updateTable('vault_files')
        .set({
          ...(name !== undefined && { name, name_key: nameKey(name) }),
          ...(nextName !== undefined && {
            next_name: nextName,
            next_key: nextName === null ? null : nameKey(nextName),
          }),
          ...(digest !== undefined && { digest }),
          ...(nextDigest !== undefined && { next_digest: nextDigest }),
          ...(failure !== undefined && { failure }),
        })
        .where('vault_id', '=', vaultId)
        .where('recording_id', '=', recordingId)
        .execute();
    },
    async remove(recordingId) {
      await db
        .deleteFrom('vault_files')
        .where('vault_id', '=', vaultId)
        .where('recording_id', '=', recordingId)
        .execute();
    },
    async isFree(recordingId, name) {
      const key = nameKey(name);
      const other = await db
        .selectFrom('vault_files')
        .select('recording_id')
        .where('vault_id', '=', vaultId)
        .where('recording_id', '!=', recordingId)
        .where(({ or, eb }) => or([eb('name_key', '=', key), eb('next_key', '=', key)]))
        .executeTakeFirst();
      return other === undefined;
    },
  };
}

function toState(row: Row<'vault_files'>): FileState {
  const { recording_id: recordingId, name, digest, failure } = row;
  return {
    recordingId,
    name,
    digest,
    failure,
    nextName: row.next_name,
    nextDigest: row.next_digest,
  };
}

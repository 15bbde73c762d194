import type { CallInput, Recording } from '@linnet/contract';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import type { AudioDigest } from '../../audio/digest.ts';
import { digestAudio } from '../../audio/digest.ts';
import { probeSeconds } from '../../audio/probe.ts';
import type { Database, Queries, Row, Transaction } from '../../db/database.ts';
import { lockAccount, nextRevision } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';
import { byFlag, latestTasks } from '../recording/service.ts';
import { inspectAudio } from '../recording/stored-audio.ts';
import { toRecording } from '../recording/view.ts';
import { isDeleted } from '../sync/tombstones.ts';
import { discardObjects } from './discard.ts';
import { issuedGrant, isUsed } from './issued.ts';
import { mediaTypeOf } from './kinds.ts';
import type { Quota } from './quota.ts';

/** The metadata a client sends for an uploaded object. */
export type FileFacts = Omit<CallInput<'upload/ossFile'>, 'url' | 'ext'>;

export interface UploadService {
  /**
   * Registers an uploaded object as a recording, once per client_flag.
   * @param key null for a foreign URL
   * @throws CallError keyNotIssued, objectMissing, objectDiffers, tooLarge; recordingDeleted for one
   *   that was permanently deleted, whose object is discarded
   */
  register(
    accountId: string,
    key: string | null,
    facts: FileFacts,
    sign: (key: string) => string,
  ): Promise<Recording>;
  /** Discards a voice file of the account and its grant, unless a recording uses it. */
  discard(accountId: string, key: string): Promise<void>;
  /** Compares a recording's row with its object in the store and corrects the row. */
  inspect(row: Row<'recordings'>): Promise<Row<'recordings'>>;
}

export interface UploadServiceParts {
  readonly quota: Quota;
  readonly db: Database;
  readonly queue: Queue;
  readonly store: ObjectStore;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly now: () => Date;
}

export function createUploadService(parts: UploadServiceParts): UploadService {
  const { db, queue, store, quota, now } = parts;

  /** The upload grant of a key, if it was issued to this account for a voice file. */
  const grantOf = async (queries: Queries, accountId: string, key: string | null) =>
    key === null ? undefined : issuedGrant(queries, accountId, key, 'voice_file');

  /** Must run in a transaction that has locked the account, so that the object cannot become a recording meanwhile. */
  async function discardUnused(trx: Transaction, accountId: string, key: string | null) {
    const grant = await grantOf(trx, accountId, key);
    if (!grant || (await isUsed(trx, grant.key))) return;
    await discardObjects(trx, queue, [grant.key], now());
  }

  function discard(accountId: string, key: string | null): Promise<void> {
    return db.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId);
      await discardUnused(trx, accountId, key);
    });
  }

  const inspect = (row: Row<'recordings'>) => inspectAudio(parts, row);

  /** Permanent deletion is final: discards an object uploaded for a deleted recording. */
  async function refuseDeleted(accountId: string, key: string | null): Promise<never> {
    await discard(accountId, key);
    throw new CallError('recordingDeleted');
  }

  /** Verifies the stored object of a grant against the client's metadata and returns its digests. */
  async function checkObject(
    grant: { key: string; max_size: number },
    facts: FileFacts,
  ): Promise<AudioDigest & { readonly storedAt: Date }> {
    const found = await store.stat(grant.key);
    if (!found) throw new CallError('objectMissing');
    if (found.size !== facts.file_size) throw new CallError('objectDiffers');
    // With COS, clients sign their own forms, so the size is first verified here.
    if (found.size > grant.max_size) throw new CallError('tooLarge');
    const digest = await digestAudio(await store.read(grant.key));
    const announced = facts.sha256?.toLowerCase() ?? digest.sha256;
    if (digest.sha256 !== announced) throw new CallError('objectDiffers');
    return { ...digest, storedAt: found.storedAt };
  }

  return {
    discard,
    inspect,

    async register(accountId, key, facts, sign) {
      const deleted = (queries: Queries) => isDeleted(queries, accountId, facts.client_flag);
      const answer = async (row: Row<'recordings'>) => {
        const tasks = await latestTasks(db, [row.id]);
        return toRecording(row, tasks.get(row.id) ?? null, sign);
      };
      if (await deleted(db)) return refuseDeleted(accountId, key);
      const row = await byFlag(db, accountId, facts.client_flag);
      const known = row && (await inspect(row));
      if (known?.object_key && known.object_key === key) return answer(known);
      const grant = await grantOf(db, accountId, key);
      if (!grant) throw new CallError('keyNotIssued');
      // The new upload replaces audio that the store lost.
      const lost = known && known.lost_at !== null ? known.object_key : null;
      const checked = await checkObject(grant, facts);
      const seconds = (await probeSeconds(store, grant.key)) ?? facts.total_time;
      const stored = await db.transaction().execute(async (trx) => {
        // Locks the account, so that the second of two concurrent calls finds the first one's row.
        const rev = await nextRevision(trx, accountId);
        if (await deleted(trx)) return null;
        // A concurrent discard of the object also deleted its grant.
        const issued = await grantOf(trx, accountId, grant.key);
        if (!issued) throw new CallError('keyNotIssued');
        const existing = await byFlag(trx, accountId, facts.client_flag);
        if (existing?.object_key && existing.object_key !== lost) {
          // The recording is already stored; the second copy is discarded.
          await discardUnused(trx, accountId, grant.key);
          return existing;
        }
        if (await isUsed(trx, grant.key)) throw new CallError('keyNotIssued');
        // Several open grants may each have been issued for the entire remaining quota.
        if (!(await quota.hasRoomFor(trx, accountId, checked.size))) return 'over-quota';
        const audio = {
          object_key: grant.key,
          file_size: checked.size,
          sha256: checked.sha256,
          audio_sha256: checked.audioSha256,
          client_sha256: facts.sha256 === undefined ? null : checked.sha256,
          object_stored_at: checked.storedAt,
          lost_at: null,
          mime_type: facts.mime_type || mediaTypeOf(grant.key),
          ext: grant.key.slice(grant.key.lastIndexOf('.') + 1),
          total_time: seconds,
          ...(facts.peaks && { peaks: facts.peaks }),
          stored_rev: rev,
          rev,
          updated_at: now(),
        };
        return upsert(audio, existing);

        function upsert(
          values: typeof audio,
          before: Row<'recordings'> | undefined,
        ): Promise<Row<'recordings'>> {
          if (before) {
            return trx
              .updateTable('recordings')
              .set(values)
              .where('id', '=', before.id)
              .returningAll()
              .executeTakeFirstOrThrow();
          }
          return trx
            .insertInto('recordings')
            .values({
              ...values,
              id: uuidv7(),
              account_id: accountId,
              client_flag: facts.client_flag,
              name: facts.name,
              source: facts.source,
              sn: facts.sn,
              ...(facts.auto_transcribe !== undefined && {
                auto_transcribe: facts.auto_transcribe,
              }),
              recorded_at: facts.recorded_at ? new Date(facts.recorded_at) : now(),
              created_at: now(),
            })
            .returningAll()
            .executeTakeFirstOrThrow();
        }
      });
      if (stored === null) return refuseDeleted(accountId, key);
      if (stored === 'over-quota') {
        await discard(accountId, key);
        throw new CallError('quotaExceeded');
      }
      return answer(stored);
    },
  };
}

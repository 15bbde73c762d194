import type { AudioKind } from '@linnet/audio/kind';
import type { CallInput, Recording } from '@linnet/contract';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { type AudioDigest, digestAudio } from '../../audio/digest.ts';
import { probeObject } from '../../audio/probe.ts';
import { dayMs } from '../../calendar.ts';
import type { Database, Queries, Row, Transaction } from '../../db/database.ts';
import { lockAccount, nextRevision } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import { type ObjectStore, StorageFailure } from '../../providers/storage/port.ts';
import { findRecordingByFlag, latestTasks } from '../recording/service.ts';
import { inspectAudio } from '../recording/stored-audio.ts';
import { utcOffset } from '../recording/user-time.ts';
import { toRecording } from '../recording/view.ts';
import { isDeleted } from '../sync/tombstones.ts';
import { recordWebhookEvents } from '../webhook/events.ts';
import { discardObjects } from './discard.ts';
import { findGrant, isKeyInUse } from './grant-queries.ts';
import { getMediaType } from './kinds.ts';
import type { Quota } from './quota.ts';

/** Metadata that a client sends when it registers an uploaded object. */
export type FileMetadata = Omit<CallInput<'upload/ossFile'>, 'url' | 'ext'>;

/** Turns uploaded objects into recordings. */
export interface UploadService {
  /**
   * Registers an uploaded object as a recording. Idempotent per client flag: repeated and concurrent calls return the
   * existing recording.
   * @param key null if the client's URL doesn't belong to the store
   * @throws CallError keyNotIssued, objectMissing, objectDiffers, tooLarge, quotaExceeded; typeNotAccepted if the
   *   server can't decode the object's content, or recordingDeleted if the recording was permanently deleted (in both
   *   cases, the object is discarded)
   */
  register(
    accountId: string,
    key: string | null,
    metadata: FileMetadata,
    sign: (key: string) => string,
  ): Promise<Recording>;
  /** Discards one of the account's voice files and its grant, unless the file is in use. */
  discard(accountId: string, key: string): Promise<void>;
  /** Compares a recording's row with its object in the store, and returns the corrected row. */
  inspect(row: Row<'recordings'>): Promise<Row<'recordings'>>;
}

export interface UploadServiceDependencies {
  readonly quota: Quota;
  readonly db: Database;
  readonly queue: Queue;
  readonly store: ObjectStore;
  /** Kinds of audio that the server can decode. */
  readonly audioKinds: readonly AudioKind[];
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly now: () => Date;
}

/**
 * Returns the media type and extension of audio, from its kind if known, or else from the client's metadata and the
 * key.
 */
function mediaType(key: string, stated: string, kind: AudioKind | null) {
  if (!kind) {
    return { mime_type: stated || getMediaType(key), ext: key.slice(key.lastIndexOf('.') + 1) };
  }
  const isOfKind = kind.mediaTypes.includes(stated);
  return { mime_type: isOfKind ? stated : kind.mediaTypes[0], ext: kind.ext };
}

/** Delay before an object that was missing from the store is deleted a second time, in milliseconds. */
const lostObjectMs = 30 * dayMs;

const unreadableMessage = (kinds: readonly AudioKind[]) =>
  `This file can't be read as audio. Convert it to one of these kinds and upload it again: ${kinds
    .map(({ name }) => name)
    .join(', ')}.`;

export function createUploadService(deps: UploadServiceDependencies): UploadService {
  const { db, queue, store, quota, now } = deps;

  /** Finds the upload grant for a key issued to this account for a voice file. */
  const findVoiceGrant = async (queries: Queries, accountId: string, key: string | null) =>
    key === null ? undefined : findGrant(queries, accountId, key, 'voice_file');

  /**
   * Discards an object unless it is in use. The transaction must already hold the account's lock, so the object can't
   * be registered concurrently.
   */
  async function discardUnused(trx: Transaction, accountId: string, key: string | null) {
    const grant = await findVoiceGrant(trx, accountId, key);
    if (!grant || (await isKeyInUse(trx, grant.key))) return;
    await discardObjects(trx, queue, [grant.key], now());
  }

  function discard(accountId: string, key: string | null): Promise<void> {
    return db.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId);
      await discardUnused(trx, accountId, key);
    });
  }

  const inspect = (row: Row<'recordings'>) => inspectAudio(deps, row);

  /** Discards an object uploaded for a permanently deleted recording, and rejects its registration. */
  async function rejectDeleted(accountId: string, key: string | null): Promise<never> {
    await discard(accountId, key);
    throw new CallError('recordingDeleted');
  }

  /** Returns the error for a key that has no voice file grant. */
  async function grantError(accountId: string, key: string | null): Promise<CallError> {
    const converted = key === null ? undefined : await findGrant(db, accountId, key, 'converted');
    return converted
      ? new CallError(
          'keyNotIssued',
          'This upload URL is for a converted file. Request an upload grant with "recording": true.',
        )
      : new CallError('keyNotIssued');
  }

  /** Verifies that the object stored under a grant matches the client's metadata, and returns its digests. */
  async function verifyObject(
    grant: { key: string; max_size: number },
    metadata: FileMetadata,
  ): Promise<AudioDigest & { readonly storedAt: Date }> {
    const object = await store.stat(grant.key);
    if (!object) throw new CallError('objectMissing');
    if (object.size !== metadata.file_size) throw new CallError('objectDiffers');
    // COS clients sign their forms themselves, so the server can't verify the size any earlier.
    if (object.size > grant.max_size) throw new CallError('tooLarge');
    const digest = await digestAudio(await store.read(grant.key));
    const expectedSha256 = metadata.sha256?.toLowerCase() ?? digest.sha256;
    if (digest.sha256 !== expectedSha256) throw new CallError('objectDiffers');
    return { ...digest, storedAt: object.storedAt };
  }

  return {
    discard,
    inspect,

    async register(accountId, key, metadata, sign) {
      const isRecordingDeleted = (queries: Queries) =>
        isDeleted(queries, accountId, metadata.client_flag);
      const toResponse = async (row: Row<'recordings'>) => {
        const tasks = await latestTasks(db, [row.id]);
        return toRecording(row, tasks.get(row.id) ?? null, sign);
      };
      if (await isRecordingDeleted(db)) return rejectDeleted(accountId, key);
      const row = await findRecordingByFlag(db, accountId, metadata.client_flag);
      const inspected = row && (await inspect(row));
      if (inspected?.object_key && inspected.object_key === key) return toResponse(inspected);
      const grant = await findVoiceGrant(db, accountId, key);
      if (!grant) throw await grantError(accountId, key);
      // If the recording's audio is missing from the store, the new upload replaces it.
      const lostKey = inspected && inspected.lost_at !== null ? inspected.object_key : null;
      const [verified, probe] = await readOrMissing(async () => [
        await verifyObject(grant, metadata),
        await probeObject(store, grant.key),
      ]);
      const isDecoded = deps.audioKinds.some(({ id }) => id === probe?.kind?.id);
      if (probe && (probe.isIncomplete || !isDecoded)) {
        await discard(accountId, key);
        throw new CallError('typeNotAccepted', unreadableMessage(deps.audioKinds));
      }
      const totalTime = probe?.declaredSeconds ?? metadata.total_time;
      const outcome = await db.transaction().execute(async (trx) => {
        // Lock the account, so the second of two concurrent calls finds the row inserted by the first.
        const rev = await nextRevision(trx, accountId);
        if (await isRecordingDeleted(trx)) return 'deleted';
        // The object may have been discarded concurrently, which also deletes its grant.
        const issued = await findVoiceGrant(trx, accountId, grant.key);
        if (!issued) throw new CallError('keyNotIssued');
        const existing = await findRecordingByFlag(trx, accountId, metadata.client_flag);
        if (existing?.object_key && existing.object_key !== lostKey) {
          // The recording already has audio, so discard the object uploaded for this call.
          await discardUnused(trx, accountId, grant.key);
          return existing;
        }
        if (await isKeyInUse(trx, grant.key)) throw new CallError('keyNotIssued');
        // Check the quota again, because several open grants may each have been issued for all of the remaining quota.
        if (!(await quota.hasSpaceFor(trx, accountId, verified.size))) return 'over-quota';
        const audio = {
          object_key: grant.key,
          file_size: verified.size,
          sha256: verified.sha256,
          audio_sha256: verified.audioSha256,
          client_sha256: metadata.sha256 === undefined ? null : verified.sha256,
          object_stored_at: verified.storedAt,
          lost_at: null,
          ...mediaType(grant.key, metadata.mime_type, probe?.kind ?? null),
          total_time: totalTime,
          ...(metadata.peaks && { peaks: metadata.peaks }),
          stored_rev: rev,
          rev,
          updated_at: now(),
        };
        const recording = await upsert(audio, existing);
        // The lost object may reappear, for example with a volume that is mounted again.
        if (lostKey !== null) {
          const secondDeletionAt = new Date(now().getTime() + lostObjectMs);
          await queue.enqueue(trx, 'delete-objects', { keys: [lostKey] });
          await queue.enqueue(trx, 'delete-objects', { keys: [lostKey] }, secondDeletionAt);
        }
        if (metadata.call_levels) await storeCallLevels(recording.id, metadata.call_levels);
        return recording;

        async function storeCallLevels(recording_id: string, base64: string): Promise<void> {
          const levels = Buffer.from(base64, 'base64');
          await trx
            .insertInto('call_levels')
            .values({ recording_id, levels })
            .onConflict((conflict) => conflict.column('recording_id').doUpdateSet({ levels }))
            .execute();
        }

        async function upsert(
          values: typeof audio,
          existing: Row<'recordings'> | undefined,
        ): Promise<Row<'recordings'>> {
          if (existing) {
            return trx
              .updateTable('recordings')
              .set(values)
              .where('id', '=', existing.id)
              .returningAll()
              .executeTakeFirstOrThrow();
          }
          const arrived = await trx
            .insertInto('recordings')
            .values({
              ...values,
              id: uuidv7(),
              account_id: accountId,
              client_flag: metadata.client_flag,
              name: metadata.name,
              source: metadata.source,
              scene: metadata.scene ?? null,
              sn: metadata.sn,
              ...(metadata.auto_transcribe !== undefined && {
                auto_transcribe: metadata.auto_transcribe,
              }),
              recorded_at: metadata.recorded_at ? new Date(metadata.recorded_at) : now(),
              utc_offset: utcOffset(metadata.recorded_at ?? ''),
              created_at: now(),
            })
            .returningAll()
            .executeTakeFirstOrThrow();
          await recordWebhookEvents(trx, { queue, now }, accountId, [
            { type: 'recording.arrived', recordingId: arrived.id, clientFlag: arrived.client_flag },
          ]);
          return arrived;
        }
      });
      if (outcome === 'deleted') return rejectDeleted(accountId, key);
      if (outcome === 'over-quota') {
        await discard(accountId, key);
        throw new CallError('quotaExceeded');
      }
      return toResponse(outcome);
    },
  };
}

/** Reads an object, which may be deleted concurrently. @throws CallError objectMissing */
async function readOrMissing<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const isMissing = error instanceof StorageFailure && error.code === 'not-found';
    throw isMissing ? new CallError('objectMissing') : error;
  }
}

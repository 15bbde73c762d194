import { createHash } from 'node:crypto';
import type { CallData, CallInput, Recording, UploadLeave } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import type { ObjectType } from '@linnet/contract/statuses';
import { v7 as uuidv7 } from 'uuid';
import { probeSeconds } from '../../audio/probe.ts';
import type { Database, Queries, Row } from '../../db/database.ts';
import { lockAccount, nextRevision } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';
import { byFlag, latestTasks } from '../recording/service.ts';
import { toRecording } from '../recording/view.ts';
import { isDeleted } from '../sync/tombstones.ts';
import { bucket, keyOfAddress, storePath } from './addresses.ts';
import { discardObjects } from './discard.ts';
import { newSecretId, sealLeave, secretKeyOf } from './leave.ts';

/** Long enough for an hour's recording over a slow line. */
const leaveSeconds = 3600;
/** A phone's clock may be a little behind when it checks the start. */
const clockSkewSeconds = 60;

/** What each kind of upload takes: media types by extension, the first one being stored. */
const kinds: Record<
  ObjectType,
  { folder: string; maxSize: number; types: Readonly<Record<string, readonly string[]>> }
> = {
  voice_file: {
    folder: 'voice',
    maxSize: limits.upload.voiceBytes,
    types: {
      ogg: ['audio/ogg', 'application/ogg', 'audio/opus'],
      wav: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
    },
  },
  avatar: {
    folder: 'avatar',
    maxSize: limits.upload.avatarBytes,
    types: {
      png: ['image/png'],
      jpg: ['image/jpeg'],
      jpeg: ['image/jpeg'],
      webp: ['image/webp'],
    },
  },
  log: {
    folder: 'log',
    maxSize: limits.upload.logBytes,
    types: { log: ['text/plain'], txt: ['text/plain'], zip: ['application/zip'] },
  },
  converted: {
    folder: 'converted',
    maxSize: limits.upload.voiceBytes,
    types: { mp3: ['audio/mpeg'] },
  },
};
/** What clients send that know no better. */
const unspecific = 'application/octet-stream';

/** The media type an object is served as, by the extension of its key. */
export function mediaTypeOf(key: string): string {
  const ext = key.slice(key.lastIndexOf('.') + 1);
  for (const { types } of Object.values(kinds)) {
    const [standard] = types[ext] ?? [];
    if (standard) return standard;
  }
  return unspecific;
}

export interface UploadService {
  /** @throws CallError typeNotAccepted */
  leave(
    accountId: string,
    body: CallInput<'oss/config'>,
    origin: string,
  ): Promise<CallData<'oss/config'>>;
  /**
   * Makes an uploaded object a recording, once per client_flag.
   * @throws CallError keyNotIssued, objectMissing, objectDiffers; recordingDeleted for one that was
   *   deleted for good, and the object that came for it goes
   */
  register(
    accountId: string,
    body: CallInput<'upload/ossFile'>,
    sign: (key: string) => string,
  ): Promise<Recording>;
}

export interface UploadServiceParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly store: ObjectStore;
  readonly sessionKey: Uint8Array;
  readonly now: () => Date;
}

export function createUploadService(parts: UploadServiceParts): UploadService {
  const { db, queue, store, sessionKey, now } = parts;

  /** The key in an address, if it was issued to this account for a voice file; else null. */
  async function findKey(queries: Queries, accountId: string, url: string): Promise<string | null> {
    const key = keyOfAddress(url);
    const leave =
      key === null
        ? undefined
        : await queries
            .selectFrom('upload_leaves')
            .select('key')
            .where('key', '=', key)
            .where('account_id', '=', accountId)
            .where('type', '=', 'voice_file')
            .executeTakeFirst();
    return leave?.key ?? null;
  }

  async function issuedKey(queries: Queries, accountId: string, url: string): Promise<string> {
    const key = await findKey(queries, accountId, url);
    if (key === null) throw new CallError('keyNotIssued');
    return key;
  }

  /** Nothing brings back what was deleted for good: an object that came for it goes too. */
  async function refuseDeleted(accountId: string, url: string): Promise<never> {
    await db.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId);
      const key = await findKey(trx, accountId, url);
      if (key !== null && !(await isUsed(trx, key))) await discardObjects(trx, queue, [key]);
    });
    throw new CallError('recordingDeleted');
  }

  async function checkObject(key: string, body: CallInput<'upload/ossFile'>): Promise<number> {
    const found = await store.stat(key);
    if (!found) throw new CallError('objectMissing');
    if (found.size !== body.file_size) throw new CallError('objectDiffers');
    if (body.sha256 !== undefined) {
      const hash = createHash('sha256');
      for await (const chunk of await store.read(key)) hash.update(chunk);
      if (hash.digest('hex') !== body.sha256.toLowerCase()) throw new CallError('objectDiffers');
    }
    return found.size;
  }

  return {
    async leave(accountId, { type, ext: rawExt }, origin): Promise<UploadLeave> {
      const ext = rawExt.toLowerCase().replace(/^\./, '');
      const kind = kinds[type];
      const types = Object.hasOwn(kind.types, ext) ? kind.types[ext] : undefined;
      if (!types) {
        const taken = Object.keys(kind.types).join(', ');
        throw new CallError('typeNotAccepted', `This kind of file is not accepted; send ${taken}.`);
      }
      const key = `${kind.folder}/${accountId}/${uuidv7()}.${ext}`;
      const seconds = Math.floor(now().getTime() / 1000);
      const [start, end] = [seconds - clockSkewSeconds, seconds + leaveSeconds];
      const secretId = newSecretId();
      await db
        .insertInto('upload_leaves')
        .values({
          key,
          account_id: accountId,
          type,
          ext,
          max_size: kind.maxSize,
          created_at: now(),
          expires_at: new Date(end * 1000),
        })
        .execute();
      return {
        provider: 'local',
        bucket,
        cosRegion: 'local',
        startTime: start,
        expiredTime: end,
        expiration: new Date(end * 1000).toISOString(),
        credentials: {
          tmpSecretId: secretId,
          tmpSecretKey: secretKeyOf(sessionKey, secretId),
          sessionToken: sealLeave(sessionKey, {
            key,
            maxSize: kind.maxSize,
            types: [...types, unspecific],
            start,
            end,
            secretId,
          }),
        },
        key,
        uploadUrl: `${origin}${storePath}`,
        url: `${origin}${storePath}/${key}`,
        maxSize: kind.maxSize,
      };
    },

    async register(accountId, body, sign) {
      const deleted = (queries: Queries) => isDeleted(queries, accountId, body.client_flag);
      if (await deleted(db)) return refuseDeleted(accountId, body.url);
      const key = await issuedKey(db, accountId, body.url);
      const known = await byFlag(db, accountId, body.client_flag);
      const size = known?.object_key === key ? known.file_size : await checkObject(key, body);
      const seconds = (await probeSeconds(store, key)) ?? body.total_time;
      const stored = await db.transaction().execute(async (trx) => {
        // Locks the account: of two calls for one recording the second finds the first one's row.
        const rev = await nextRevision(trx, accountId);
        if (await deleted(trx)) return null;
        // Whoever discarded the object meanwhile took the leave with it.
        await issuedKey(trx, accountId, body.url);
        const existing = await byFlag(trx, accountId, body.client_flag);
        if (existing?.object_key) {
          return { row: existing, spare: existing.object_key === key ? null : key };
        }
        if (await isUsed(trx, key)) throw new CallError('keyNotIssued');
        const audio = {
          object_key: key,
          file_size: size,
          sha256: body.sha256?.toLowerCase() ?? null,
          mime_type: body.mime_type || mediaTypeOf(key),
          ext: key.slice(key.lastIndexOf('.') + 1),
          total_time: seconds,
          stored_rev: rev,
          rev,
          updated_at: now(),
        };
        return { row: await upsert(audio, existing), spare: null };

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
              client_flag: body.client_flag,
              name: body.name,
              source: body.source,
              sn: body.sn,
              recorded_at: body.recorded_at ? new Date(body.recorded_at) : now(),
              created_at: now(),
            })
            .returningAll()
            .executeTakeFirstOrThrow();
        }
      });
      if (stored === null) return refuseDeleted(accountId, body.url);
      const { row, spare } = stored;
      // The same recording is never stored twice: the second copy goes.
      if (spare !== null) await store.delete(spare);
      const tasks = await latestTasks(db, [row.id]);
      return toRecording(row, tasks.get(row.id) ?? null, sign);
    },
  };
}

/** Whether a recording's audio lies under a key. */
async function isUsed(queries: Queries, key: string): Promise<boolean> {
  const recording = await queries
    .selectFrom('recordings')
    .select('id')
    .where('object_key', '=', key)
    .executeTakeFirst();
  return recording !== undefined;
}

import { createHash } from 'node:crypto';
import type { CallData, CallInput, Recording, UploadLeave } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import type { ObjectType } from '@linnet/contract/statuses';
import { v7 as uuidv7 } from 'uuid';
import { probeSeconds } from '../../audio/probe.ts';
import type { Database, Row } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';
import { byFlag, latestTasks } from '../recording/service.ts';
import { toRecording } from '../recording/view.ts';
import { bucket, keyOfAddress, storePath } from './addresses.ts';
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
   * @throws CallError keyNotIssued, objectMissing, objectDiffers
   */
  register(
    accountId: string,
    body: CallInput<'upload/ossFile'>,
    sign: (key: string) => string,
  ): Promise<Recording>;
}

export interface UploadServiceParts {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly sessionKey: Uint8Array;
  readonly now: () => Date;
}

export function createUploadService(parts: UploadServiceParts): UploadService {
  const { db, store, sessionKey, now } = parts;

  /** The key in an address, if it was issued to this account for a voice file. */
  async function issuedKey(accountId: string, url: string): Promise<string> {
    const key = keyOfAddress(url);
    const leave =
      key === null
        ? undefined
        : await db
            .selectFrom('upload_leaves')
            .select('key')
            .where('key', '=', key)
            .where('account_id', '=', accountId)
            .where('type', '=', 'voice_file')
            .executeTakeFirst();
    if (!leave) throw new CallError('keyNotIssued');
    return leave.key;
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
      const key = await issuedKey(accountId, body.url);
      const known = await byFlag(db, accountId, body.client_flag);
      const size = known?.object_key === key ? known.file_size : await checkObject(key, body);
      const seconds = (await probeSeconds(store, key)) ?? body.total_time;
      const { row, spare } = await db.transaction().execute(async (trx) => {
        // Locks the account: of two calls for one recording the second finds the first one's row.
        const rev = await nextRevision(trx, accountId);
        const existing = await byFlag(trx, accountId, body.client_flag);
        if (existing?.object_key) {
          return { row: existing, spare: existing.object_key === key ? null : key };
        }
        const other = await trx
          .selectFrom('recordings')
          .select('id')
          .where('object_key', '=', key)
          .executeTakeFirst();
        if (other) throw new CallError('keyNotIssued');
        const audio = {
          object_key: key,
          file_size: size,
          sha256: body.sha256?.toLowerCase() ?? null,
          mime_type: body.mime_type || mediaTypeOf(key),
          ext: key.slice(key.lastIndexOf('.') + 1),
          total_time: seconds,
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
      // The same recording is never stored twice: the second copy goes.
      if (spare !== null) await store.delete(spare);
      const tasks = await latestTasks(db, [row.id]);
      return toRecording(row, tasks.get(row.id) ?? null, sign);
    },
  };
}

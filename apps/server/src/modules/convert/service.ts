import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { maxSecondsFor } from '@linnet/audio/samples';
import type { CallData, CallInput } from '@linnet/contract';
import { decodeToMp3 } from '../../audio/decode.ts';
import { DecodeFailure } from '../../audio/decode-failure.ts';
import type { Ffmpeg } from '../../audio/ffmpeg.ts';
import { expectedSeconds, probeObject } from '../../audio/probe.ts';
import type { Database } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { RateLimiter } from '../../http/rate-limit.ts';
import type { ObjectStore, StorageGateway } from '../../providers/storage/port.ts';
import { StorageFailure } from '../../providers/storage/port.ts';
import type { Addresses } from '../upload/addresses.ts';
import { findGrant } from '../upload/grant-queries.ts';
import type { Caller } from '../user/access.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { createScratchFolders } from './scratch-folders.ts';

/** Maximum number of concurrent conversions. It is low because each occupies a CPU core. */
const maxConversions = 2;
/** Timeout for a conversion. An hour of audio takes about ten seconds on most machines. */
const timeLimitMs = 20 * 60_000;
const conversionsPerAccount = { name: 'convert', count: 60, seconds: 3600 };
const mp3MediaType = 'audio/mpeg';
const alreadyConvertingMessage =
  'Another conversion is already running for this account. Wait until it has finished.';
const tooLongMessage = 'The audio is too long to convert.';

/** Converts recordings to MP3. */
export interface Converter {
  /**
   * Converts a recording's audio to MP3 and uploads the MP3 with a form that the client has signed for its upload
   * grant. The URLs in the request are only compared with the server's own URLs. The server never connects to them: it
   * always reads from and uploads to the configured store.
   * @param signal aborts the conversion when the client disconnects
   * @throws CallError addressNotOurs, objectMissing, conversionFailed, tooLarge, tooManyRequests
   */
  convert(
    caller: Pick<Caller, 'accountId' | 'sessionId'>,
    body: CallInput<'convert'>,
    origin: string,
    signal: AbortSignal,
  ): Promise<CallData<'convert'>>;
}

export interface ConverterDependencies {
  readonly db: Database;
  readonly store: ObjectStore;
  /** Null if ffmpeg isn't installed. */
  readonly ffmpeg: Ffmpeg | null;
  readonly gateway: StorageGateway;
  readonly addresses: Addresses;
  readonly limiter: RateLimiter;
  readonly dataDir: string;
  readonly now: () => Date;
}

/** The audio to convert, and its duration in seconds according to the recording's row. */
interface Source {
  readonly key: string;
  readonly seconds: number;
}

export function createConverter(deps: ConverterDependencies): Converter {
  const { db, store, ffmpeg, gateway, addresses, limiter, now } = deps;
  const limitConcurrency = createConcurrencyLimit(maxConversions);
  /**
   * Accounts with a running or waiting conversion. Each account may have only one, so that no account can block all
   * slots.
   */
  const busyAccounts = new Set<string>();
  const createScratchFolder = createScratchFolders(deps.dataDir);

  /**
   * Returns the recording to convert.
   * @throws CallError addressNotOurs unless the URL is currently valid and the recording belongs to the account
   */
  async function findSource(accountId: string, origin: string, fileUrl: string): Promise<Source> {
    const key = addresses.verify(origin, fileUrl);
    const recording =
      key === null
        ? undefined
        : await db
            .selectFrom('recordings')
            .select('total_time')
            .where('object_key', '=', key)
            .where('account_id', '=', accountId)
            .executeTakeFirst();
    if (key === null || !recording) throw new CallError('addressNotOurs');
    return { key, seconds: recording.total_time };
  }

  /**
   * Returns the MP3's key.
   * @throws CallError addressNotOurs unless all three fields refer to the same grant, issued to the account
   */
  async function targetKey(
    accountId: string,
    origin: string,
    { postUrl, iurl, uploadObj }: CallInput<'convert'>,
  ): Promise<string> {
    const address = gateway.address(origin);
    const key = iurl.startsWith(`${address}/`) ? addresses.parseKey(iurl) : null;
    const keyFields = Object.entries(uploadObj).filter(([name]) => name.toLowerCase() === 'key');
    const isKeyOfForm = keyFields.length === 1 && keyFields[0]?.[1] === key;
    const grant =
      key !== null && isKeyOfForm && postUrl.replace(/\/$/, '') === address
        ? await findGrant(db, accountId, key, 'converted')
        : undefined;
    if (!grant) throw new CallError('addressNotOurs');
    return grant.key;
  }

  return {
    async convert({ accountId, sessionId }, body, origin, signal) {
      const source = await findSource(accountId, origin, body.fileUrl);
      const target = await targetKey(accountId, origin, body);
      if (busyAccounts.has(accountId))
        throw new CallError('tooManyRequests', alreadyConvertingMessage);
      busyAccounts.add(accountId);
      try {
        await limiter.take(conversionsPerAccount, accountId);
        return await limitConcurrency(signal, () =>
          convertToMp3(source, target, body, origin, sessionId, signal),
        );
      } finally {
        busyAccounts.delete(accountId);
      }
    },
  };

  async function convertToMp3(
    source: Source,
    target: string,
    { uploadObj }: CallInput<'convert'>,
    origin: string,
    sessionId: string,
    signal: AbortSignal,
  ): Promise<CallData<'convert'>> {
    const folder = await createScratchFolder();
    const output = path.join(folder, 'audio.mp3');
    const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]);
    try {
      const object = await store.stat(source.key);
      if (!object) throw new CallError('objectMissing');
      const { size: sourceSize } = object;
      const probe = await probeObject(store, source.key, abortSignal);
      if (!probe) throw new CallError('conversionFailed');
      const maxSeconds = maxSecondsFor(expectedSeconds(probe, source.seconds, sourceSize));
      const audio = { kind: probe.kind, source: await store.read(source.key), size: sourceSize };
      await decodeToMp3({ ...audio, output, maxSeconds }, ffmpeg, abortSignal);
      const { size } = await stat(output);
      await gateway.post(uploadObj, { path: output, mediaType: mp3MediaType }, now());
      return { iurl: addresses.sign(origin, target, sessionId), file_size: size };
    } catch (error) {
      if (signal.aborted) throw new CallError('unavailable', 'The client disconnected.');
      throw abortSignal.aborted
        ? new CallError('conversionFailed', tooLongMessage)
        : toCallError(error);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Converts known errors to API errors. */
function toCallError(error: unknown): unknown {
  if (error instanceof DecodeFailure) return new CallError('conversionFailed');
  if (!(error instanceof StorageFailure)) return error;
  if (error.code === 'not-found') return new CallError('objectMissing');
  // The form comes from the client and may be expired, unsigned or signed for another upload.
  if (error.code === 'refused') return new CallError('addressNotOurs');
  if (error.code === 'too-large') return new CallError('tooLarge', 'The MP3 is too large.');
  return error;
}

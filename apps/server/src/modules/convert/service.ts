import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { maxSecondsFor } from '@linnet/audio/samples';
import type { CallData, CallInput } from '@linnet/contract';
import { DecodeFailure, decodeToMp3 } from '../../audio/decode.ts';
import { probeSeconds } from '../../audio/probe.ts';
import { dayMs } from '../../calendar.ts';
import { ensurePrivateDir } from '../../data-dir.ts';
import type { Database } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { RateLimiter } from '../../http/rate-limit.ts';
import type { ObjectStore, StorageGateway } from '../../providers/storage/port.ts';
import { StorageFailure } from '../../providers/storage/port.ts';
import type { Addresses } from '../upload/addresses.ts';
import { findGrant } from '../upload/grant-queries.ts';
import type { Caller } from '../user/access.ts';
import { createTurns } from './turns.ts';

/** Maximum concurrent conversions: each occupies a core, and the server has to stay responsive. */
const atOnce = 2;
/** Time limit: an hour of audio takes about ten seconds, the longest recordings up to this on a slow machine. */
const limitMs = 20 * 60_000;
const perAccount = { name: 'convert', count: 60, seconds: 3600 };
const mp3 = 'audio/mpeg';
const another = 'Another conversion of yours is under way; wait until it has ended.';
const tooLong = 'The audio is too long to be converted here.';

export interface Converter {
  /**
   * Converts an Ogg object to MP3 and posts it where an upload grant allows. URLs are only compared with the server's
   * own: the server always reads from and posts to the configured store, never to a URL from the request.
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

export interface ConverterParts {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly gateway: StorageGateway;
  readonly addresses: Addresses;
  readonly limiter: RateLimiter;
  readonly dataDir: string;
  readonly now: () => Date;
}

export function createConverter(parts: ConverterParts): Converter {
  const { db, store, gateway, addresses, limiter, now } = parts;
  const turn = createTurns(atOnce);
  /** Accounts with a running or queued conversion: limited to one each, so that none can block the others. */
  const busy = new Set<string>();
  const scratch = openScratch(parts.dataDir);

  /** Returns the key of the audio, if the URL is valid now and the recording belongs to the account. */
  async function sourceKey(accountId: string, origin: string, fileUrl: string): Promise<string> {
    const key = addresses.verify(origin, fileUrl);
    const recording =
      key === null
        ? undefined
        : await db
            .selectFrom('recordings')
            .select('id')
            .where('object_key', '=', key)
            .where('account_id', '=', accountId)
            .executeTakeFirst();
    if (key === null || !recording) throw new CallError('addressNotOurs');
    return key;
  }

  /** Returns the key of the MP3, if all three fields refer to the same grant and it was issued to the account. */
  async function targetKey(
    accountId: string,
    origin: string,
    { postUrl, iurl, uploadObj }: CallInput<'convert'>,
  ): Promise<string> {
    const address = gateway.address(origin);
    const key = iurl.startsWith(`${address}/`) ? addresses.keyOf(iurl) : null;
    const posted = Object.entries(uploadObj).filter(([name]) => name.toLowerCase() === 'key');
    const same = posted.length === 1 && posted[0]?.[1] === key;
    const grant =
      key !== null && same && postUrl.replace(/\/$/, '') === address
        ? await findGrant(db, accountId, key, 'converted')
        : undefined;
    if (!grant) throw new CallError('addressNotOurs');
    return grant.key;
  }

  return {
    async convert({ accountId, sessionId }, body, origin, signal) {
      const from = await sourceKey(accountId, origin, body.fileUrl);
      const to = await targetKey(accountId, origin, body);
      if (busy.has(accountId)) throw new CallError('tooManyRequests', another);
      busy.add(accountId);
      try {
        await limiter.take(perAccount, accountId);
        return await turn(signal, () => make(from, to, body, origin, sessionId, signal));
      } finally {
        busy.delete(accountId);
      }
    },
  };

  async function make(
    from: string,
    to: string,
    { uploadObj }: CallInput<'convert'>,
    origin: string,
    sessionId: string,
    signal: AbortSignal,
  ): Promise<CallData<'convert'>> {
    const folder = await scratch();
    const output = path.join(folder, 'audio.mp3');
    const within = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    try {
      const found = await store.stat(from);
      if (!found) throw new CallError('objectMissing');
      const announced = await probeSeconds(store, from, within);
      if (announced === null) throw new CallError('conversionFailed');
      const audio = { source: await store.read(from), size: found.size, output };
      await decodeToMp3({ ...audio, maxSeconds: maxSecondsFor(announced) }, within);
      const { size } = await stat(output);
      await gateway.post(uploadObj, { path: output, mediaType: mp3 }, now());
      return { iurl: addresses.sign(origin, to, sessionId), file_size: size };
    } catch (error) {
      if (signal.aborted) throw new CallError('unavailable', 'The client disconnected.');
      throw within.aborted ? new CallError('conversionFailed', tooLong) : translate(error);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

function translate(error: unknown): unknown {
  if (error instanceof DecodeFailure) return new CallError('conversionFailed');
  if (!(error instanceof StorageFailure)) return error;
  if (error.code === 'not-found') return new CallError('objectMissing');
  // The client supplied the form: it may be expired, signed for another upload, or unsigned.
  if (error.code === 'refused') return new CallError('addressNotOurs');
  if (error.code === 'too-large') return new CallError('tooLarge', 'The mp3 is too large.');
  return error;
}

/** Creates a folder per conversion; leftovers of killed processes are removed before the first one. */
function openScratch(dataDir: string): () => Promise<string> {
  let root: Promise<string> | undefined;
  const open = async () => {
    const folder = await ensurePrivateDir(dataDir, path.join('scratch', 'convert'));
    for (const name of await readdir(folder)) {
      const old = path.join(folder, name);
      const found = await stat(old).catch((error) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (found && Date.now() - found.mtimeMs > dayMs) {
        await rm(old, { recursive: true, force: true });
      }
    }
    return folder;
  };
  return async () => {
    root ??= open();
    const folder = path.join(await root, randomUUID());
    await mkdir(folder, { mode: 0o700 });
    return folder;
  };
}

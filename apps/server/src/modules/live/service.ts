import { isDeepStrictEqual } from 'node:util';
import { PACKET_BYTES, PACKET_MS } from '@linnet/audio/format';
import type { CallData, CallInput } from '@linnet/contract';
import { type CodeName, codes } from '@linnet/contract/codes';
import { minutesFor } from '@linnet/contract/durations';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, Queries, Row, Transaction } from '../../db/database.ts';
import { lockAccount } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import { deletePackets } from '../../live/store.ts';
import type { Minutes } from '../minutes/service.ts';
import { findRecordingByFlag } from '../recording/service.ts';
import { isDeleted } from '../sync/tombstones.ts';
import { activeStatuses } from '../task/active-tasks.ts';
import type { TranscriptionSupport } from '../task/transcription-support.ts';
import { isVip } from '../user/vip.ts';
import { openMs, toView } from './view.ts';

/** Receives the audio of recordings in progress, and returns the text that workers have recognized so far. */
export interface LiveService {
  /**
   * Appends packets to a session. The first packets create the session. Packets that the session already has are
   * ignored, so clients can safely retry.
   * @throws CallError badRequest, membersOnly, languageUnavailable, recordingDeleted; notFound if the recording has
   *   already been uploaded
   */
  append(accountId: string, body: CallInput<'live/append'>): Promise<CallData<'live/append'>>;
  list(accountId: string, query: CallInput<'live/list'>): Promise<CallData<'live/list'>>;
}

export interface LiveServiceDependencies {
  readonly db: Database;
  readonly minutes: Minutes;
  readonly transcription: TranscriptionSupport;
  /** Whether all features are available without membership (`BILLING=off`). */
  readonly isFree: boolean;
  readonly now: () => Date;
}

/**
 * Maximum number of packets waiting for recognition: ten minutes, 4.8 MB. Further packets aren't accepted, and the
 * client sends them again later.
 */
const maxWaiting = (600 * 1000) / PACKET_MS;

/** Maximum number of open sessions per account. Each occupies an engine. */
const maxOpen = 4;

export function createLiveService(deps: LiveServiceDependencies): LiveService {
  const { db, minutes, transcription, isFree, now } = deps;

  /** Returns whether an account may start another session. Only sessions that received packets recently count. */
  async function canStart(trx: Transaction, accountId: string): Promise<boolean> {
    const recent = await trx
      .selectFrom('live_sessions')
      .select(['ended', 'error_code'])
      .where('account_id', '=', accountId)
      .where('updated_at', '>', new Date(now().getTime() - openMs))
      .limit(limits.live.watched)
      .execute();
    const openSessions = recent.filter((session) => !session.ended && session.error_code === null);
    return openSessions.length < maxOpen && recent.length < limits.live.watched;
  }

  /** Finds a session, or creates it for a recording that hasn't been uploaded yet. */
  async function openSession(
    trx: Transaction,
    accountId: string,
    { client_flag, language, first }: CallInput<'live/append'>,
  ): Promise<Row<'live_sessions'>> {
    if (await isDeleted(trx, accountId, client_flag)) throw new CallError('recordingDeleted');
    const existing = await findLiveSession(trx, accountId, client_flag);
    // The user has changed the recording's language, so the client starts over.
    const isRestarted = existing && existing.language !== language && first === 0;
    if (existing && !isRestarted) return existing;
    if (existing) await deleteLiveSessions(trx, minutes, accountId, [client_flag]);
    const recording = await findRecordingByFlag(trx, accountId, client_flag);
    if (recording?.object_key) throw new CallError('notFound');
    if (!(await canStart(trx, accountId))) throw new CallError('tooManyRequests');
    return trx
      .insertInto('live_sessions')
      .values({
        id: uuidv7(),
        account_id: accountId,
        client_flag,
        language,
        created_at: now(),
        updated_at: now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /** Stores the new packets, as far as the limits allow. Returns the total number of packets received. */
  async function store(
    trx: Transaction,
    { id, received, settled, ended }: Row<'live_sessions'>,
    first: number,
    packets: Buffer,
  ): Promise<number> {
    const end = Math.min(
      first + packets.length / PACKET_BYTES,
      settled + maxWaiting,
      limits.live.packets,
    );
    // Ignore packets after the end of the session. The recording's transcription task processes the rest.
    if (ended || first > received || end <= received) return received;
    await trx
      .insertInto('live_packets')
      .values({
        session_id: id,
        first: received,
        packets: packets.subarray((received - first) * PACKET_BYTES, (end - first) * PACKET_BYTES),
      })
      .execute();
    return end;
  }

  /** Reserves the minutes for a session's new packets. Returns false if the balance is insufficient. */
  async function reserve(
    trx: Transaction,
    account: Row<'accounts'>,
    session: Row<'live_sessions'>,
    received: number,
  ): Promise<boolean> {
    const reserved = await minutes.reserved(trx, session.id);
    // The session was handed over to a task, which has reserved the minutes of the whole recording.
    if (session.received > 0 && reserved === 0) return true;
    const missingMinutes = minutesFor((received * PACKET_MS) / 1000) - reserved;
    if (missingMinutes <= 0) return true;
    if ((await minutes.balance(trx, account)).left < missingMinutes) return false;
    await minutes.reserve(trx, account, session.id, missingMinutes);
    return true;
  }

  /** Returns why a session that has received packets must stop, or null if it may continue. */
  async function stopReason(
    trx: Transaction,
    account: Row<'accounts'>,
    session: Row<'live_sessions'>,
    received: number,
  ): Promise<CodeName | null> {
    if (received === session.received) return null;
    return (await reserve(trx, account, session, received)) ? null : 'notEnoughMinutes';
  }

  return {
    async append(accountId, body) {
      const packets = Buffer.from(body.packets, 'base64');
      if (packets.length % PACKET_BYTES !== 0) {
        throw new CallError(
          'badRequest',
          `packets: length must be a multiple of ${PACKET_BYTES} bytes`,
        );
      }
      // Check the language only for new sessions, because the check reads the installed models from disk.
      const known = await findLiveSession(db, accountId, body.client_flag);
      const refusal =
        known?.language !== body.language ? await transcription.refusal(body.language) : null;
      const session = await db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        const account = await trx
          .selectFrom('accounts')
          .selectAll()
          .where('id', '=', accountId)
          .executeTakeFirstOrThrow();
        if (!isFree && !isVip(account, now())) throw new CallError('membersOnly');
        if (refusal !== null) throw new CallError('languageUnavailable', refusal);
        const session = await openSession(trx, accountId, body);
        if (session.error_code !== null) return session;
        const received = await store(trx, session, body.first, packets);
        const reason = await stopReason(trx, account, session, received);
        const ended =
          session.ended || (body.ended && received >= body.first + packets.length / PACKET_BYTES);
        const words = body.words ?? session.words;
        const isUnchanged =
          received === session.received &&
          session.ended === ended &&
          isDeepStrictEqual(words, session.words);
        if (reason === null && isUnchanged) return session;
        if (reason !== null) await deletePackets(trx, session.id);
        return trx
          .updateTable('live_sessions')
          .set({
            received,
            ended,
            words: JSON.stringify(words),
            updated_at: now(),
            ...(reason !== null && { error_code: codes[reason] }),
          })
          .where('id', '=', session.id)
          .returningAll()
          .executeTakeFirstOrThrow();
      });
      return toView(db, session, body.known);
    },

    async list(accountId, { client_flag, known }) {
      const sessions = await db
        .selectFrom('live_sessions')
        .selectAll()
        .where('account_id', '=', accountId)
        .$if(client_flag !== undefined, (query) =>
          query.where('client_flag', '=', client_flag as string),
        )
        .orderBy('created_at', 'desc')
        .execute();
      return { list: await Promise.all(sessions.map((session) => toView(db, session, known))) };
    },
  };
}

/** Finds the live session of a recording. */
export function findLiveSession(
  queries: Queries,
  accountId: string,
  clientFlag: string,
): Promise<Row<'live_sessions'> | undefined> {
  return queries
    .selectFrom('live_sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('client_flag', '=', clientFlag)
    .executeTakeFirst();
}

/**
 * Hands a session over to a new task of its recording. Releases the session's minutes, because the task reserves its
 * own. The transaction must already hold the account's lock.
 */
export async function handOverLiveSession(
  trx: Transaction,
  minutes: Minutes,
  { account_id, client_flag }: Pick<Row<'recordings'>, 'account_id' | 'client_flag'>,
): Promise<void> {
  const session = await findLiveSession(trx, account_id, client_flag);
  if (session) await minutes.release(trx, session.id);
}

/** Deletes the live session of a task's recording. The transaction must already hold the account's lock. */
export async function deleteLiveSessionForTask(
  trx: Transaction,
  minutes: Minutes,
  { account_id, recording_id }: Pick<Row<'tasks'>, 'account_id' | 'recording_id'>,
): Promise<void> {
  const recording = await trx
    .selectFrom('recordings')
    .select('client_flag')
    .where('id', '=', recording_id)
    .executeTakeFirst();
  if (recording) await deleteLiveSessions(trx, minutes, account_id, [recording.client_flag]);
}

/** Deletes the live sessions of recordings. The transaction must already hold the account's lock. */
export async function deleteLiveSessions(
  trx: Transaction,
  minutes: Minutes,
  accountId: string,
  clientFlags: readonly string[],
): Promise<void> {
  const deleted = await trx
    .deleteFrom('live_sessions')
    .where('account_id', '=', accountId)
    .where('client_flag', '=', sql<string>`any(${clientFlags}::text[])`)
    .returning('id')
    .execute();
  for (const { id } of deleted) await minutes.release(trx, id);
}

/**
 * Deletes sessions whose last packet arrived before a given time and whose recording has no active task. Releases their
 * reserved minutes, because without a recording there is no transcript to charge for.
 * @returns the number of deleted sessions
 */
export async function deleteAbandonedSessions(
  db: Database,
  minutes: Minutes,
  before: Date,
): Promise<number> {
  const abandonedSessions = await db
    .selectFrom('live_sessions')
    .select(['account_id', 'client_flag'])
    .where('updated_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tasks')
            .innerJoin('recordings', 'recordings.id', 'tasks.recording_id')
            .select('tasks.id')
            .whereRef('recordings.account_id', '=', 'live_sessions.account_id')
            .whereRef('recordings.client_flag', '=', 'live_sessions.client_flag')
            .where('tasks.status', 'in', activeStatuses),
        ),
      ),
    )
    .execute();
  for (const { account_id: accountId, client_flag } of abandonedSessions) {
    await db.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId);
      const session = await findLiveSession(trx, accountId, client_flag);
      if (session && session.updated_at < before) {
        await deleteLiveSessions(trx, minutes, accountId, [client_flag]);
      }
    });
  }
  return abandonedSessions.length;
}

import { PACKET_BYTES, PACKET_MS } from '@linnet/audio/format';
import type { CallData, CallInput, LiveSession } from '@linnet/contract';
import { type CodeName, codes } from '@linnet/contract/codes';
import { minutesFor } from '@linnet/contract/durations';
import { limits } from '@linnet/contract/limits';
import { v7 as uuidv7 } from 'uuid';
import type { Database, Queries, Row, Transaction } from '../../db/database.ts';
import { lockAccount } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { Minutes } from '../minutes/service.ts';
import { findRecordingByFlag } from '../recording/service.ts';
import { isDeleted } from '../sync/tombstones.ts';
import type { TranscriptionSupport } from '../task/transcription-support.ts';
import { failureOf } from '../task/view.ts';
import { isVip } from '../user/vip.ts';

/** Receives the audio of recordings in progress, and returns the text that workers have recognized so far. */
export interface LiveService {
  /**
   * Appends packets to a session, and creates the session with its first packets. Packets that the session already has
   * are ignored, so that a client may repeat a call.
   * @throws CallError badRequest, membersOnly, languageUnavailable, recordingDeleted; notFound if the recording has
   *   already been uploaded
   */
  append(accountId: string, body: CallInput<'live/append'>): Promise<CallData<'live/append'>>;
  list(accountId: string, query: CallInput<'live/list'>): Promise<CallData<'live/list'>>;
}

export interface LiveServiceParts {
  readonly db: Database;
  readonly minutes: Minutes;
  readonly transcription: TranscriptionSupport;
  /** Whether every feature is available to all users (`BILLING=off`). */
  readonly open: boolean;
  readonly now: () => Date;
}

/**
 * Maximum number of packets that wait for recognition: ten minutes, 4.8 MB. Packets beyond that aren't accepted yet, so
 * that the client sends them again later.
 */
const maxWaiting = (600 * 1000) / PACKET_MS;

export function createLiveService(parts: LiveServiceParts): LiveService {
  const { db, minutes, transcription, open, now } = parts;

  /** Finds a session, or creates one for a recording that has not been uploaded yet. */
  async function openSession(
    trx: Transaction,
    accountId: string,
    { client_flag, language }: CallInput<'live/append'>,
  ): Promise<Row<'live_sessions'>> {
    const existing = await findLiveSession(trx, accountId, client_flag);
    if (existing) return existing;
    if (await isDeleted(trx, accountId, client_flag)) throw new CallError('recordingDeleted');
    const recording = await findRecordingByFlag(trx, accountId, client_flag);
    if (recording?.object_key) throw new CallError('notFound');
    return trx
      .insertInto('live_sessions')
      .values({
        ...{ id: uuidv7(), account_id: accountId, client_flag, language },
        ...{ created_at: now(), updated_at: now() },
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /** Stores the packets that are new and fit, and returns the number of packets received. */
  async function store(
    trx: Transaction,
    { id, received, settled }: Row<'live_sessions'>,
    first: number,
    packets: Buffer,
  ): Promise<number> {
    const end = Math.min(
      first + packets.length / PACKET_BYTES,
      settled + maxWaiting,
      limits.live.packets,
    );
    if (first > received || end <= received) return received;
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

  /** Reserves the minutes of a session that has grown. Returns false if the balance is not sufficient. */
  async function reserve(
    trx: Transaction,
    account: Row<'accounts'>,
    sessionId: string,
    received: number,
  ): Promise<boolean> {
    const missing =
      minutesFor((received * PACKET_MS) / 1000) - (await minutes.reserved(trx, sessionId));
    if (missing <= 0) return true;
    if ((await minutes.balance(trx, account)).left < missing) return false;
    await minutes.reserve(trx, account, sessionId, missing);
    return true;
  }

  /** Returns why a session that has received packets must stop; null if it may continue. */
  async function stopReason(
    trx: Transaction,
    account: Row<'accounts'>,
    session: Row<'live_sessions'>,
    received: number,
  ): Promise<CodeName | null> {
    // A task that was created in the meantime has its own reservation.
    if (session.ended || received === session.received) return null;
    return (await reserve(trx, account, session.id, received)) ? null : 'notEnoughMinutes';
  }

  return {
    async append(accountId, body) {
      const packets = Buffer.from(body.packets, 'base64');
      if (packets.length % PACKET_BYTES !== 0) {
        throw new CallError('badRequest', `packets: expected multiples of ${PACKET_BYTES} bytes`);
      }
      const refusal = await transcription.refusal(body.language);
      const session = await db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        const account = await trx
          .selectFrom('accounts')
          .selectAll()
          .where('id', '=', accountId)
          .executeTakeFirstOrThrow();
        if (!open && !isVip(account, now())) throw new CallError('membersOnly');
        if (refusal !== null) throw new CallError('languageUnavailable', refusal);
        const session = await openSession(trx, accountId, body);
        if (session.error_code !== null) return session;
        const received = await store(trx, session, body.first, packets);
        const reason = await stopReason(trx, account, session, received);
        const ended =
          session.ended || (body.ended && received >= body.first + packets.length / PACKET_BYTES);
        if (reason === null && received === session.received && session.ended === ended) {
          return session;
        }
        return trx
          .updateTable('live_sessions')
          .set({
            received,
            ended,
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
 * Passes a session on to a new task of its recording, which reserves its own minutes. The transaction must have locked
 * the account.
 */
export async function handOverLiveSession(
  trx: Transaction,
  minutes: Minutes,
  { account_id, client_flag }: Pick<Row<'recordings'>, 'account_id' | 'client_flag'>,
): Promise<void> {
  const session = await trx
    .updateTable('live_sessions')
    .set({ ended: true })
    .where('account_id', '=', account_id)
    .where('client_flag', '=', client_flag)
    .returning('id')
    .executeTakeFirst();
  if (session) await minutes.release(trx, session.id);
}

/** Deletes the live session of a task's recording. The transaction must have locked the account. */
export async function deleteLiveSession(
  trx: Transaction,
  { recording_id }: Pick<Row<'tasks'>, 'recording_id'>,
): Promise<void> {
  await trx
    .deleteFrom('live_sessions')
    .using('recordings')
    .where('recordings.id', '=', recording_id)
    .whereRef('live_sessions.account_id', '=', 'recordings.account_id')
    .whereRef('live_sessions.client_flag', '=', 'recordings.client_flag')
    .execute();
}

/**
 * Deletes the sessions whose last packet came before a given time, and releases their minutes.
 * @returns how many
 */
export async function deleteAbandonedSessions(
  db: Database,
  minutes: Minutes,
  before: Date,
): Promise<number> {
  const abandoned = await db
    .selectFrom('live_sessions')
    .select(['id', 'account_id'])
    .where('updated_at', '<', before)
    .execute();
  for (const { id, account_id: accountId } of abandoned) {
    await db.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId);
      await minutes.release(trx, id);
      await trx.deleteFrom('live_sessions').where('id', '=', id).execute();
    });
  }
  return abandoned.length;
}

async function toView(
  queries: Queries,
  session: Row<'live_sessions'>,
  known: number,
): Promise<LiveSession> {
  const slices = await queries
    .selectFrom('live_slices')
    .select(['result', 'text'])
    .where('session_id', '=', session.id)
    .where('text', '!=', '')
    .orderBy('first')
    .offset(known)
    .execute();
  const first = slices.length > 0 || known === 0 ? known : Math.min(known, await countPassages());
  const error = failureOf(session.error_code);
  return {
    client_flag: session.client_flag,
    language: session.language,
    received: session.received,
    state: error ? { status: 'stopped', error } : { status: 'listening' },
    first,
    passages: slices.map(({ result, text }) => ({
      start: result?.words[0]?.start ?? 0,
      end: result?.words.at(-1)?.end ?? 0,
      text,
    })),
    tentative: session.tentative,
    updated_at: session.updated_at.toISOString(),
  };

  async function countPassages(): Promise<number> {
    const { count } = await queries
      .selectFrom('live_slices')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('session_id', '=', session.id)
      .where('text', '!=', '')
      .executeTakeFirstOrThrow();
    return count;
  }
}

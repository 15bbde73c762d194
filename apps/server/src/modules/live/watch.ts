import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallData, CallInput, WatchedLiveSession } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import type { Database, Row } from '../../db/database.ts';
import type { Gate, Lane } from '../../http/gate.ts';
import { openMs, toView } from './view.ts';

/** Sends the live text of an account's recordings in progress to its devices, by long polling. */
export interface LiveWatch {
  /**
   * Returns the recordings in progress as soon as they differ from the client's version, or when the wait times out.
   * @param signal aborts the wait
   */
  watch(
    accountId: string,
    query: CallInput<'live/watch'>,
    signal: AbortSignal,
  ): Promise<CallData<'live/watch'>>;
  /** Ends all pending waits. Later calls return immediately. */
  close(): void;
}

/** A pending call that waits for a new version. */
interface Waiter {
  readonly accountId: string;
  readonly except: ReadonlySet<string>;
  readonly version: string;
  /** Ends the wait. @param error the error to reject with, if the wait failed */
  settle(error?: unknown): void;
}

/**
 * Poll interval for the database, in milliseconds. One query reads the sessions for all pending calls. PostgreSQL's
 * notifications would need a dedicated connection, and don't work with connection poolers.
 */
const pollMs = 400;
/** Time without packets after which a recording's phase is `waiting`, in milliseconds. */
const silentMs = 10_000;

/** The lane for an account's reads, because many devices may read at the same time. */
const readLane: Lane = { name: 'watch-read', concurrency: 2, waiting: 64 };

export function createLiveWatch(db: Database, gate: Gate, now: () => Date): LiveWatch {
  const waiters = new Set<Waiter>();
  let isPolling = false;
  let isClosed = false;

  /**
   * Reads the sessions in progress whose recordings have not been uploaded, by account. Reads at most
   * `limits.live.watched` sessions per account, latest first.
   */
  async function readSessions(
    accountIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly Row<'live_sessions'>[]>> {
    const rows = await db
      .selectFrom('live_sessions')
      .selectAll()
      .where('account_id', '=', sql<string>`any(${accountIds}::uuid[])`)
      .where('updated_at', '>', new Date(now().getTime() - openMs))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('recordings')
              .select('recordings.id')
              .whereRef('recordings.account_id', '=', 'live_sessions.account_id')
              .whereRef('recordings.client_flag', '=', 'live_sessions.client_flag')
              .where('recordings.object_key', 'is not', null),
          ),
        ),
      )
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    const byAccount = Map.groupBy(rows, (row) => row.account_id);
    return new Map(
      [...byAccount].map(([account, sessions]) => [account, sessions.slice(-limits.live.watched)]),
    );
  }

  function computePhase({ ended, updated_at }: Row<'live_sessions'>): WatchedLiveSession['phase'] {
    if (ended) return 'ended';
    return now().getTime() - updated_at.getTime() < silentMs ? 'recording' : 'waiting';
  }

  function computeVersion(sessions: readonly Row<'live_sessions'>[]): string {
    const state = sessions.map((session) => [
      session.id,
      session.settled,
      session.tentative,
      session.error_code,
      computePhase(session),
    ]);
    return createHash('sha256').update(JSON.stringify(state)).digest('base64url');
  }

  const sessionsFor = (
    sessions: Awaited<ReturnType<typeof readSessions>>,
    accountId: string,
    except: ReadonlySet<string>,
  ) => (sessions.get(accountId) ?? []).filter((each) => !except.has(each.client_flag));

  async function poll(): Promise<void> {
    isPolling = true;
    try {
      while (waiters.size > 0) {
        await delay(pollMs);
        // Calls that arrive during the query are served by the next poll.
        const waiting = [...waiters];
        if (waiting.length === 0) return;
        const sessions = await readSessions([
          ...new Set(waiting.map(({ accountId }) => accountId)),
        ]);
        for (const { accountId, except, version, settle } of waiting) {
          const accountSessions = sessionsFor(sessions, accountId, except);
          if (computeVersion(accountSessions) !== version) settle();
        }
      }
    } catch (error) {
      for (const { settle } of waiters) settle(error);
    } finally {
      isPolling = false;
    }
  }

  /** Resolves as soon as the version changes, or after `wait` seconds. */
  function waitForChange(
    waiter: Omit<Waiter, 'settle'>,
    wait: number,
    signal: AbortSignal,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Waiter = { ...waiter, settle };
      const timer = setTimeout(settle, wait * 1000);
      const onAbort = () => settle();
      signal.addEventListener('abort', onAbort, { once: true });
      waiters.add(entry);
      if (signal.aborted || isClosed) settle();
      else if (!isPolling) void poll();

      function settle(error?: unknown): void {
        waiters.delete(entry);
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        if (error === undefined) resolve();
        else reject(error);
      }
    });
  }

  return {
    async watch(accountId, { version: seen, wait, known, except: excluded }, signal) {
      const except = new Set(excluded);
      const inLane = <Result>(read: () => Promise<Result>) => gate.run(readLane, accountId, read);
      const read = () =>
        inLane(async () => sessionsFor(await readSessions([accountId]), accountId, except));
      let sessions = await read();
      let version = computeVersion(sessions);
      if (version === seen && wait > 0) {
        await waitForChange({ accountId, except, version }, wait, signal);
        sessions = await read();
        version = computeVersion(sessions);
      }
      const passages = new Map(known.map((each) => [each.client_flag, each.passages]));
      return inLane(async () => {
        const list: WatchedLiveSession[] = [];
        // Read sequentially, so a call uses only one connection.
        for (const session of sessions) {
          list.push({
            ...(await toView(db, session, passages.get(session.client_flag) ?? 0)),
            started_at: session.created_at.toISOString(),
            phase: computePhase(session),
          });
        }
        return { version, list };
      });
    },
    close() {
      isClosed = true;
      for (const { settle } of waiters) settle();
    },
  };
}

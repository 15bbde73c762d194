import { Coalesced, Emitter, Mutex } from '@linnet/base';
import { wholeSeconds } from '@linnet/contract/durations';
import {
  type DeviceError,
  type DeviceErrorCode,
  isLinkLost,
  type RecorderEvent,
  type RecorderSession,
  type SessionItem,
} from '@linnet/device/session';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import {
  CopyDiffers,
  discardCopy,
  finishSession,
  removeIfDeleted,
  toProblem,
} from './finish-session.ts';
import { Flag } from './flag.ts';
import { recordingId } from './identity.ts';
import { Postponed } from './postponed.ts';
import { ReadSchedule } from './read-schedule.ts';
import type { FetchProblem, Problem } from './record.ts';
import { type ListedSession, markAbsent, updateListedCopies } from './recorder-copies.ts';
import {
  isLengthMismatch,
  isNotSent,
  isRefusal,
  REFUSED_RETRY_MS,
  toRefusalProblem,
} from './recorder-failures.ts';
import { RecorderRetention, type RecorderRetentionOptions } from './recorder-retention.ts';
import { isInCloud, readMissing, type SessionReaderOptions } from './session-reader.ts';

export type RecorderSyncOptions = SessionReaderOptions &
  RecorderRetentionOptions & {
    readonly session: Pick<
      RecorderSession,
      'info' | 'listSessions' | 'readSession' | 'deleteSession' | 'onEvent'
    >;
    /** The account that the recordings belong to. */
    readonly uid: string;
    /** Called when the phone's copy of a session has been verified. */
    readonly onStored: () => void;
    /** Called when all sessions have been read. */
    readonly onAllRead?: () => void;
    readonly clock?: Clock;
  };

/** Events that invalidate the session list. */
const LIST_EVENTS: readonly RecorderEvent['type'][] = [
  'recording_started',
  'recording_ended',
  'session_changed',
];

/** Number of failed reads of a session before the user is notified. */
const MAX_READS = 2;

/**
 * Transfers all sessions on a connected recorder to the phone. A chunk is acknowledged only after it's on disk, so a
 * crash can't lose it. A session is complete once the digest of the phone's copy matches the recorder's. The recorder's
 * copy is deleted only if the retention rules allow it. All state needed after a restart is in the database and the
 * temporary file. An instance belongs to one connection: `run` ends when the link is lost.
 *
 * A recorder sends one session at a time, in the order that {@link ReadSchedule} determines. A session with higher
 * priority preempts the current one after the next chunk. The preempted session resumes later.
 */
export class RecorderSync {
  readonly #options: RecorderSyncOptions;
  readonly #work = new Flag();
  readonly #sessionsChanged = new Emitter();
  #sessions: readonly ListedSession[] | null = null;
  #listFailure: DeviceErrorCode | null = null;
  readonly #listMutex = new Mutex();
  /** Refreshes the list after a recorder event. Any events during a refresh cause one more refresh. */
  readonly #refreshAfterEvent = new Coalesced(() => this.refresh());
  readonly #clock: Clock;
  readonly #retention: RecorderRetention;
  readonly #schedule: ReadSchedule;
  /** Delays the next listing after one was refused or couldn't be read. */
  readonly #postponedList: Postponed<'list'>;
  /** The failure of a refresh triggered by an event. `run` will throw it. */
  #refreshFailure: { readonly error: unknown } | null = null;

  constructor(options: RecorderSyncOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#retention = new RecorderRetention(options, this.#clock);
    this.#schedule = new ReadSchedule(options.records, () => this.#clock.elapsed());
    this.#postponedList = new Postponed(REFUSED_RETRY_MS, () => this.#clock.elapsed());
  }

  /**
   * The recorder's sessions, oldest first, or null before the first listing. The array is the same object until the
   * list changes.
   */
  get sessions(): readonly ListedSession[] | null {
    return this.#sessions;
  }

  /** Why the last listing was refused or couldn't be read, or null if it succeeded. */
  get listFailure(): DeviceErrorCode | null {
    return this.#listFailure;
  }

  /** Calls the listener when {@link sessions} or {@link listFailure} changes. */
  subscribe(listener: () => void): () => void {
    return this.#sessionsChanged.subscribe(listener);
  }

  /**
   * Lists the sessions and creates missing records. Calls are processed one at a time, in order.
   * @throws DeviceError
   * @throws StorageFull
   */
  refresh(): Promise<void> {
    return this.#listMutex.run(() => this.#list());
  }

  async #list(): Promise<void> {
    const { session, records, uid } = this.#options;
    const items = await this.#requestList();
    const getId = (item: SessionItem) =>
      recordingId(session.info.sn, item.sessionId, item.startTime);
    // Publish the list first so that it's shown even if there's no disk space for the records.
    this.#sessions = items.map((item) => ({ item, id: getId(item) }));
    try {
      await updateListedCopies(records, { uid, sn: session.info.sn }, this.#sessions);
      for (const { item, id } of this.#sessions) {
        const outcome = await records.ensure({
          id,
          uid,
          source: 'recorder',
          sn: session.info.sn,
          deviceFileId: item.sessionId,
          createDate: (getStart(item) ?? new Date(this.#clock.now())).toISOString(),
          seconds: wholeSeconds(item.durationMs / 1000),
          scene: item.scene,
          audioBytes: item.fileSize,
        });
        if (outcome === 'created') this.#options.log('session.found', { session: item.sessionId });
      }
    } finally {
      this.#sessionsChanged.emit();
    }
    this.#work.raise();
  }

  async #requestList(): Promise<readonly SessionItem[]> {
    try {
      const items = await this.#options.session.listSessions();
      this.#listFailure = null;
      return items;
    } catch (error) {
      if (isRefusal(error)) {
        this.#listFailure = error.code;
        this.#sessionsChanged.emit();
      }
      throw error;
    }
  }

  /** Gives sessions priority and retries failed ones. */
  request(sessionIds: readonly number[] | 'all'): void {
    const chosen = (this.#sessions ?? []).filter(
      ({ item }) => sessionIds === 'all' || sessionIds.includes(item.sessionId),
    );
    this.#schedule.request(chosen.map(({ id }) => id));
    this.#work.raise();
  }

  /** Takes priority away from sessions. */
  withdraw(sessionIds: readonly number[]): void {
    const withdrawn = (this.#sessions ?? []).filter(({ item }) =>
      sessionIds.includes(item.sessionId),
    );
    this.#schedule.withdraw(new Set(withdrawn.map(({ id }) => id)));
    this.#work.raise();
  }

  /**
   * Deletes a session on the recorder at the user's request.
   * @returns the ID of the session's recording, or null if the session was never listed
   * @throws DeviceError
   */
  async deleteOnRecorder(sessionId: number): Promise<string | null> {
    const listed = this.#sessions?.find(({ item }) => item.sessionId === sessionId);
    await this.#options.session.deleteSession(sessionId);
    if (listed) await markAbsent(this.#options.records, listed.id);
    await this.refresh();
    return listed?.id ?? null;
  }

  /**
   * Runs until the link is lost or `signal` aborts, then resolves. May be called again after a failure.
   * @throws StorageFull
   * @throws any other failure except a lost link or an abort
   */
  async run(signal: AbortSignal): Promise<void> {
    const unsubscribe = this.#options.session.onEvent(({ type }) => {
      if (!LIST_EVENTS.includes(type)) return;
      this.#refreshAfterEvent.run().catch((error: unknown) => {
        if (isRefusal(error)) this.#postponeList(error);
        else this.#refreshFailure = { error };
        this.#work.raise();
      });
    });
    try {
      await this.#refreshOrPostpone();
      for (;;) {
        if (this.#refreshFailure) {
          const { error } = this.#refreshFailure;
          this.#refreshFailure = null;
          throw error;
        }
        const checkedAt = this.#clock.elapsed();
        if (this.#postponedList.isDue('list')) {
          await this.#refreshOrPostpone();
          continue;
        }
        const next = await this.#next();
        if (next) {
          await this.#fetch(next, signal);
          continue;
        }
        this.#options.onAllRead?.();
        if (!(await this.#releaseAll())) await this.#waitForWork(checkedAt, signal);
      }
    } catch (error) {
      if (!signal.aborted && !isLinkLost(error)) throw error;
    } finally {
      unsubscribe();
    }
  }

  /** Refreshes the list. If the recorder refuses the request, `run` retries it later over the same link. */
  async #refreshOrPostpone(): Promise<void> {
    try {
      await this.refresh();
      this.#postponedList.clear('list');
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#postponeList(error);
    }
  }

  #postponeList(error: DeviceError): void {
    this.#postponedList.postpone('list');
    this.#options.log('list.failed', { code: error.code });
  }

  /**
   * Waits until there is work or a refused request is due for a retry.
   * @param checkedAt when the caller last checked for requests that are due, in milliseconds of `Clock.elapsed`
   */
  async #waitForWork(checkedAt: number, signal: AbortSignal): Promise<void> {
    const nextDue = Math.min(
      this.#schedule.nextDue(checkedAt),
      this.#postponedList.nextDue(checkedAt),
    );
    const raceEnded = new AbortController();
    const waitSignal = AbortSignal.any([signal, raceEnded.signal]);
    const waits = [this.#work.wait(waitSignal)];
    if (Number.isFinite(nextDue)) {
      waits.push(this.#clock.sleep(Math.max(0, nextDue - this.#clock.elapsed()), waitSignal));
    }
    try {
      await Promise.race(waits);
    } finally {
      raceEnded.abort();
      // The losing wait rejects because of the abort above.
      await Promise.allSettled(waits);
    }
  }

  #next(reading?: string): Promise<ListedSession | null> {
    return this.#schedule.next(this.#sessions ?? [], reading);
  }

  /** @throws Preempted if another session has to be read now */
  async #checkPriority(id: string, isLive: boolean): Promise<void> {
    const isTurnOver = isLive && this.#schedule.countLiveChunk();
    if (!this.#work.lower() && !isTurnOver) return;
    if ((await this.#next(id))?.id !== id) throw new Preempted();
  }

  /** Returns the latest listing of a session. */
  #latest(listed: ListedSession): SessionItem {
    return this.#sessions?.find(({ id }) => id === listed.id)?.item ?? listed.item;
  }

  async #fetch(listed: ListedSession, signal: AbortSignal): Promise<void> {
    const { records, progress, log } = this.#options;
    try {
      const isRequested = this.#schedule.isRequested(listed.id);
      if (!isRequested && (await isInCloud(this.#options, listed, signal))) return;
      await readMissing(this.#options, listed, {
        signal,
        latest: () => this.#latest(listed),
        onDurable: (isLive) => this.#checkPriority(listed.id, isLive),
      });
      if (!listed.item.stillRecording) this.#schedule.startLiveTurn();
      await finishSession(this.#options, listed.id);
      this.#schedule.complete(listed.id);
      if (await removeIfDeleted(this.#options, listed.id)) return;
      this.#options.onStored();
      if (await this.#release(listed)) await this.#refreshOrPostpone();
    } catch (error) {
      if (error instanceof Preempted) return;
      const deleted = await removeIfDeleted(this.#options, listed.id);
      if (deleted && !isLinkLost(error) && !signal.aborted) return;
      if (error instanceof CopyDiffers || isLengthMismatch(error)) {
        const reads = this.#schedule.countFailedRead(listed.id);
        log('session.differs', { session: listed.item.sessionId, reads });
        if (reads >= MAX_READS) await this.#giveUp(listed.id, 'checksum_differs');
        else if (isLengthMismatch(error)) await discardCopy(this.#options, listed.id);
        return;
      }
      if (isNotSent(error)) {
        if (this.#latest(listed).stillRecording) {
          // A paused recording sends no data, so read other sessions first.
          this.#schedule.endLiveTurn();
          return;
        }
        const reads = this.#schedule.countFailedRead(listed.id);
        log('session.silent', { session: listed.item.sessionId, reads });
        if (reads >= MAX_READS) await this.#giveUp(listed.id, 'not_sent');
        return;
      }
      const problem = toProblem(error);
      if (!problem && isRefusal(error)) {
        log('session.refused', { session: listed.item.sessionId, code: error.code });
        this.#schedule.postpone(listed.id);
        await records.update(listed.id, {
          problem: { step: 'fetch', code: toRefusalProblem(error) },
        });
        return;
      }
      if (!problem) throw error;
      log('session.stuck', { session: listed.item.sessionId, problem });
      await this.#giveUp(listed.id, problem);
      // The session was deleted on the recorder during the read, so the list is out of date.
      if (problem === 'session_gone') await this.#refreshOrPostpone();
    } finally {
      progress.clear(listed.id);
      await records.update(listed.id, { process: 0 });
    }
  }

  /** Rechecks which sessions may be deleted on the recorder. Call when the storage setting changes. */
  recheck(): void {
    this.#work.raise();
  }

  /**
   * Deletes all sessions on the recorder that may be deleted now. Stops early if there may be sessions to read.
   * @returns true if any session was deleted
   */
  async #releaseAll(): Promise<boolean> {
    if (!(await this.#retention.isDue())) return false;
    let released = 0;
    for (const listed of this.#sessions ?? []) {
      if (this.#work.lower()) {
        this.#work.raise();
        break;
      }
      if (!listed.item.stillRecording && (await this.#release(listed))) released += 1;
    }
    // Refresh only once, because listing takes one command per few sessions.
    if (released > 0) await this.#refreshOrPostpone();
    return released > 0;
  }

  /** Deletes a session on the recorder if that's currently allowed. @returns true if it was deleted */
  async #release(listed: ListedSession): Promise<boolean> {
    if (this.#schedule.isPostponed(listed.id)) return false;
    try {
      const release = await this.#retention.release(listed);
      // The session has to be read again.
      if (release === 'copy_lost') this.#work.raise();
      return release === 'released';
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { sessionId } = listed.item;
      this.#options.log('session.not_released', { session: sessionId, code: error.code });
      this.#schedule.postpone(listed.id);
      return false;
    }
  }

  async #giveUp(id: string, code: FetchProblem): Promise<void> {
    const problem: Problem = { step: 'fetch', code };
    await this.#options.records.update(id, { problem });
    // Exclude the recording only after the problem is stored. If the update fails, the session is read again, so no
    // failure goes unnoticed.
    this.#schedule.exclude(id);
  }
}

/** Returns when a session started, or null if the recorder's clock wasn't set at the time. */
export function getStart({ startTime }: Pick<SessionItem, 'startTime'>): Date | null {
  return startTime === 0 ? null : new Date(startTime * 1000);
}

/** Thrown to interrupt a read in favor of a session with higher priority. */
class Preempted extends Error {}

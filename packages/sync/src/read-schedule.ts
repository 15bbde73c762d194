import type { RecordStore } from './ports/records.ts';
import { Postponed } from './postponed.ts';
import type { ListedSession } from './recorder-copies.ts';
import { REFUSED_RETRY_MS } from './recorder-failures.ts';

/**
 * How many chunks to read from a recording in progress before a waiting session gets its turn (five minutes of audio).
 * A recording can last all day, and other sessions shouldn't have to wait until it ends.
 */
const LIVE_TURN_CHUNKS = 1500;

/**
 * Decides which session of a recorder is read next: sessions that the user requested, then the recording in progress,
 * then the oldest session. An instance belongs to one connection.
 */
export class ReadSchedule {
  readonly #records: Pick<RecordStore, 'work'>;
  /** Ids of recordings the user requested, in order. */
  #requested: string[] = [];
  /** Ids of recordings to read only if the user requests them. */
  readonly #excluded = new Set<string>();
  /** Failed reads, by recording ID. */
  readonly #failedReads = new Map<string, number>();
  /** Recordings that the recorder refused to send or delete. */
  readonly #refusals: Postponed<string>;
  /** Number of chunks read from the recording in progress since another session was last read. */
  #liveChunks = 0;

  /** @param elapsed returns milliseconds since an arbitrary start */
  constructor(records: Pick<RecordStore, 'work'>, elapsed: () => number) {
    this.#records = records;
    this.#refusals = new Postponed(REFUSED_RETRY_MS, elapsed);
  }

  /** Gives recordings priority and resets their failures. */
  request(ids: readonly string[]): void {
    for (const id of ids) {
      this.#excluded.delete(id);
      this.#failedReads.delete(id);
      this.#refusals.clear(id);
    }
    this.#requested = [...ids, ...this.#requested];
  }

  /** Takes priority away from recordings. */
  withdraw(ids: ReadonlySet<string>): void {
    this.#requested = this.#requested.filter((id) => !ids.has(id));
  }

  isRequested(id: string): boolean {
    return this.#requested.includes(id);
  }

  /**
   * Returns the session to read next, or null if the phone has all sessions.
   * @param reading the ID of the session being read, which has priority over other waiting sessions
   */
  async next(sessions: readonly ListedSession[], reading?: string): Promise<ListedSession | null> {
    const missingSessions = await this.#missing(sessions);
    const live = missingSessions.find(({ item }) => item.stillRecording);
    const ended = missingSessions.filter((listed) => listed !== live);
    const findById = (id: string | undefined) => ended.find((listed) => listed.id === id);
    const requested = findById(this.#requested.find(findById));
    const waitingSession = findById(reading) ?? ended[0] ?? null;
    if (!live) this.#liveChunks = 0;
    const isLiveTurn = this.#liveChunks < LIVE_TURN_CHUNKS || !waitingSession;
    return requested ?? (live && isLiveTurn ? live : waitingSession);
  }

  /** Returns the sessions that still need to be read, in list order. */
  async #missing(sessions: readonly ListedSession[]): Promise<readonly ListedSession[]> {
    const candidates = sessions.filter(
      ({ id }) => !this.#excluded.has(id) && !this.#refusals.isWaiting(id),
    );
    const work = await this.#records.work(candidates.map(({ id }) => id));
    return candidates.filter(({ id }) => {
      const copies = work.get(id)?.copies;
      // If the cloud has verified audio, it's faster to stream or download it from there.
      if (copies?.phone.status === 'absent' && copies.cloud.status === 'verified') {
        return this.isRequested(id);
      }
      const copy = copies?.phone.status;
      return copy === 'absent' || copy === 'partial' || copy === 'whole';
    });
  }

  /** Counts a chunk of the recording in progress. @returns true if its turn ends with this chunk */
  countLiveChunk(): boolean {
    this.#liveChunks += 1;
    return this.#liveChunks % LIVE_TURN_CHUNKS === 0;
  }

  /** Ends the turn of the recording in progress. */
  endLiveTurn(): void {
    this.#liveChunks = LIVE_TURN_CHUNKS;
  }

  /** Starts a new turn of the recording in progress. */
  startLiveTurn(): void {
    this.#liveChunks = 0;
  }

  /** Removes a completely read recording from the requested and refused recordings. */
  complete(id: string): void {
    this.#refusals.clear(id);
    this.withdraw(new Set([id]));
  }

  /** Counts a failed read. @returns how many times reading the recording has failed */
  countFailedRead(id: string): number {
    const count = (this.#failedReads.get(id) ?? 0) + 1;
    this.#failedReads.set(id, count);
    return count;
  }

  /** Excludes a recording until the user requests it. */
  exclude(id: string): void {
    this.#excluded.add(id);
  }

  /** Postpones a recording that the recorder refused to send or delete. */
  postpone(id: string): void {
    this.#refusals.postpone(id);
  }

  isPostponed(id: string): boolean {
    return this.#refusals.isWaiting(id);
  }

  /**
   * Returns when the next postponed recording is due, in milliseconds of `Clock.elapsed`, or Infinity if there is none.
   * @param after the time of the last check for due recordings
   */
  nextDue(after: number): number {
    return this.#refusals.nextDue(after);
  }
}

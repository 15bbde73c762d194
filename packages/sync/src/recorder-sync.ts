import { Coalesced, Emitter, Mutex, toHex } from '@linnet/base';
import { recSource } from '@linnet/contract/statuses';
import { CHUNK_SIZE } from '@linnet/device/codec';
import {
  DeviceError,
  isLinkLost,
  type RecorderEvent,
  type RecorderSession,
  type SessionDigest,
  type SessionItem,
} from '@linnet/device/session';
import { type CopyState, type Survivor, sha256From } from './copies.ts';
import {
  CopyDiffers,
  dropCopy,
  dropIfDeleted,
  finishSession,
  troubleOf,
} from './finish-session.ts';
import { Flag } from './flag.ts';
import { recordingId } from './identity.ts';
import type { Clock, Cloud, Log, RecordStore, SessionAudio } from './ports.ts';
import { Postponed } from './postponed.ts';
import type { ProgressBoard } from './progress.ts';
import type { FetchTrouble, Trouble } from './record.ts';
import { copiesAsListed, type ListedSession, leftRecorder } from './recorder-copies.ts';
import { isDeletionDue, type StoragePolicy, survivorOfRecorderCopy } from './retention.ts';

export type RecorderSyncOptions = {
  readonly session: Pick<
    RecorderSession,
    'info' | 'listSessions' | 'readSession' | 'deleteSession' | 'onEvent'
  >;
  /** The account the recordings belong to. */
  readonly uid: string;
  readonly records: RecordStore;
  readonly audio: SessionAudio;
  readonly progress: ProgressBoard;
  /** Reads the storage policy from the database at each call: a cached one may be out of date. */
  readonly storage: () => Promise<StoragePolicy>;
  /** Whether the platform promised to keep what is stored. */
  readonly storagePersists: () => boolean;
  /** Asks the server, as {@link Cloud.digest}. Without it no copy goes because of the cloud's. */
  readonly cloudDigest?: Cloud['digest'];
  /** Told when a session is verified on the phone. */
  readonly onStored: () => void;
  /** Reads a session that is whole, where there is a faster way than `session` itself. */
  readonly readWhole?: RecorderSession['readSession'];
  /** Told whenever nothing is left to read. */
  readonly onAllRead?: () => void;
  /** Told each durable chunk of a session that is being recorded: what the recorder hears now. */
  readonly onHeard?: (id: string, index: number, bytes: Uint8Array) => void;
  readonly clock?: Clock;
  readonly log: Log;
};

/** The time of the system. */
const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const timer = setTimeout(resolve, ms);
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          reject(signal.reason);
        },
        { once: true },
      );
    }),
};

/** Events after which the list of sessions is out of date. */
const LIST_EVENTS: readonly RecorderEvent['type'][] = [
  'recording_started',
  'recording_ended',
  'session_changed',
];

/** How often a session is read when the hashes differ, or nothing of it comes, before the owner is told. */
const MAX_READS = 2;

/**
 * Milliseconds after which a request that the recorder refused is made again; the last one repeats. A recorder that
 * is busy is so for seconds, a damaged session for good.
 */
const REFUSED_RETRY_MS = [2_000, 10_000, 60_000, 300_000] as const;

/** The share of a session after which its progress is written to the database. */
const DURABLE_PROGRESS = 0.1;
/** As that, for one whose length nobody knows yet: ten seconds of sound. */
const DURABLE_LIVE_BYTES = 50 * CHUNK_SIZE;

/**
 * Chunks of a session that is being recorded, five minutes of sound, after which one that waits is read.
 * A recording can last all day: what was recorded before must not wait for its end.
 */
const LIVE_TURN_CHUNKS = 1500;

/**
 * Brings everything from one connected recorder to the phone: every session gets a record, every chunk
 * is durable before the recorder hears of it, a whole session counts only when its hash agrees, and the
 * recorder's copy goes only by rule. What it needs to go on after a crash is in the database and in the
 * temporary file, never in memory; a lost link ends `run`, and the next connection starts a new one.
 *
 * A recorder sends one session at a time. What its owner asked for comes first, then what is being
 * recorded, which is read along to its end, then the oldest. Whatever comes first by that order takes the
 * stream after the next chunk; what gives way goes on later where it was.
 */
export class RecorderSync {
  readonly #options: RecorderSyncOptions;
  readonly #work = new Flag();
  readonly #sessionsChanged = new Emitter();
  #sessions: readonly ListedSession[] | null = null;
  readonly #lists = new Mutex();
  /** Lists again after events of the recorder. */
  readonly #relist = new Coalesced(() => this.refresh());
  /** Records the owner asked for first, in that order. */
  #urgent: string[] = [];
  /** Records that cannot be read in this connection, and need the owner. */
  readonly #stuck = new Set<string>();
  readonly #reads = new Map<string, number>();
  readonly #clock: Clock;
  /** Sessions that the recorder refused to hand over: the others are read first. */
  readonly #refusals: Postponed<string>;
  /** The list of sessions, where the recorder refused it, or its reply could not be read. */
  readonly #relisting: Postponed<'list'>;
  /** What kept the last such list from being taken in; thrown where `run` can begin anew. */
  #refused: { readonly error: unknown } | null = null;
  /** Chunks read along since another session had its turn. */
  #liveChunks = 0;

  constructor(options: RecorderSyncOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#refusals = new Postponed(REFUSED_RETRY_MS, () => this.#clock.now());
    this.#relisting = new Postponed(REFUSED_RETRY_MS, () => this.#clock.now());
  }

  /** The recorder's sessions, oldest first; null before they were listed. The same array until it changes. */
  get sessions(): readonly ListedSession[] | null {
    return this.#sessions;
  }

  /** Tells when {@link sessions} changes. */
  subscribe(listener: () => void): () => void {
    return this.#sessionsChanged.subscribe(listener);
  }

  /**
   * Lists the sessions again and gives each a record. One list is taken in after the other, as they were asked for.
   * @throws DeviceError
   * @throws NoRoom
   */
  refresh(): Promise<void> {
    return this.#lists.run(() => this.#list());
  }

  async #list(): Promise<void> {
    const { session, records, uid } = this.#options;
    const items = await session.listSessions();
    const idOf = (item: SessionItem) =>
      recordingId(session.info.sn, item.sessionId, item.startTime);
    // What lies there is seen, also where no room is left to write it down.
    this.#sessions = items.map((item) => ({ item, id: idOf(item) }));
    try {
      await copiesAsListed(records, { uid, sn: session.info.sn }, this.#sessions);
      for (const { item, id } of this.#sessions) {
        const outcome = await records.ensure({
          id,
          uid,
          sn: session.info.sn,
          deviceFileId: item.sessionId,
          createDate: new Date(item.startTime * 1000).toISOString(),
          seconds: Math.round(item.durationMs / 1000),
          recSource: item.scene === 'call' ? recSource.call : recSource.note,
          audioBytes: item.fileSize,
        });
        if (outcome === 'created') this.#options.log('session.found', { session: item.sessionId });
      }
    } finally {
      this.#sessionsChanged.emit();
    }
    this.#work.raise();
  }

  /** Puts sessions before the others, and tries again what was stuck. */
  request(sessionIds: readonly number[] | 'all'): void {
    const chosen = (this.#sessions ?? []).filter(
      ({ item }) => sessionIds === 'all' || sessionIds.includes(item.sessionId),
    );
    for (const { id } of chosen) {
      this.#stuck.delete(id);
      this.#reads.delete(id);
      this.#refusals.clear(id);
    }
    this.#urgent = [...chosen.map(({ id }) => id), ...this.#urgent];
    this.#work.raise();
  }

  /** Puts sessions back among the others: their owner is in no hurry any more. */
  withdraw(sessionIds: readonly number[]): void {
    const left = (this.#sessions ?? []).filter(({ item }) => sessionIds.includes(item.sessionId));
    const ids = new Set(left.map(({ id }) => id));
    this.#urgent = this.#urgent.filter((id) => !ids.has(id));
    this.#work.raise();
  }

  /**
   * Deletes a session on the recorder, as its owner asked.
   * @returns the recording that it is; null for one that was never listed
   * @throws DeviceError
   */
  async deleteOnRecorder(sessionId: number): Promise<string | null> {
    const listed = this.#sessions?.find(({ item }) => item.sessionId === sessionId);
    await this.#options.session.deleteSession(sessionId);
    if (listed) await leftRecorder(this.#options.records, listed.id);
    await this.refresh();
    return listed?.id ?? null;
  }

  /**
   * Works until the link is lost or `signal` aborts, then resolves. May be called again after a failure.
   * @throws NoRoom when the phone has no room to write down how far it came
   * @throws whatever else is neither a lost link nor an abort
   */
  async run(signal: AbortSignal): Promise<void> {
    const unsubscribe = this.#options.session.onEvent(({ type }) => {
      if (!LIST_EVENTS.includes(type)) return;
      this.#relist.run().catch((error: unknown) => {
        if (isRefusal(error)) this.#postponeList(error);
        else this.#refused = { error };
        this.#work.raise();
      });
    });
    try {
      await this.#refreshOrPostpone();
      for (;;) {
        if (this.#refused) {
          const { error } = this.#refused;
          this.#refused = null;
          throw error;
        }
        if (this.#relisting.isDue('list')) {
          await this.#refreshOrPostpone();
          continue;
        }
        const next = await this.#next();
        if (next) {
          await this.#fetch(next, signal);
          continue;
        }
        this.#options.onAllRead?.();
        if (!(await this.#releaseAll())) await this.#rest(signal);
      }
    } catch (error) {
      if (!signal.aborted && !isLinkLost(error)) throw error;
    } finally {
      unsubscribe();
    }
  }

  /** Lists the sessions; a recorder that does not give its list is asked again later, over the same link. */
  async #refreshOrPostpone(): Promise<void> {
    try {
      await this.refresh();
      this.#relisting.clear('list');
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#postponeList(error);
    }
  }

  #postponeList(error: DeviceError): void {
    this.#relisting.postpone('list');
    this.#options.log('list.failed', { code: error.code });
  }

  /** Waits for something to do, or until what was refused is due again. */
  async #rest(signal: AbortSignal): Promise<void> {
    const due = Math.min(this.#refusals.nextDue(), this.#relisting.nextDue());
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    const waits = [this.#work.wait(either)];
    if (Number.isFinite(due)) {
      waits.push(this.#clock.sleep(Math.max(0, due - this.#clock.now()), either));
    }
    try {
      await Promise.race(waits);
    } finally {
      ended.abort();
      // The loser of the race rejects with the abort of this very line.
      await Promise.allSettled(waits);
    }
  }

  /**
   * The session to read now, of those that are not on the phone yet; null when all are.
   * @param reading the one that is being read: it is read to its end before another one that waits
   */
  async #next(reading?: string): Promise<ListedSession | null> {
    const { records } = this.#options;
    const open = (this.#sessions ?? []).filter(
      ({ id }) => !this.#stuck.has(id) && !this.#refusals.isWaiting(id),
    );
    const work = await records.work(open.map(({ id }) => id));
    const missing = open.filter(({ id }) => {
      const copies = work.get(id)?.copies;
      // What lies verified in the cloud plays from there, and is downloaded from there.
      if (copies?.phone.status === 'absent' && copies.cloud.status === 'verified') {
        return this.#urgent.includes(id);
      }
      const copy = copies?.phone.status;
      return copy === 'absent' || copy === 'partial' || copy === 'whole';
    });
    const live = missing.find(({ item }) => item.stillRecording);
    const ended = missing.filter((listed) => listed !== live);
    const find = (wanted: string | undefined) => ended.find(({ id }) => id === wanted);
    const urgent = find(this.#urgent.find(find));
    const waiting = find(reading) ?? ended[0] ?? null;
    if (!live) this.#liveChunks = 0;
    return urgent ?? (live && (this.#liveChunks < LIVE_TURN_CHUNKS || !waiting) ? live : waiting);
  }

  /** @throws GivesWay when another session is to be read now */
  async #mayGoOn(id: string, live: boolean): Promise<void> {
    if (live) this.#liveChunks += 1;
    const turnIsOver = live && this.#liveChunks % LIVE_TURN_CHUNKS === 0;
    if (!this.#work.take() && !turnIsOver) return;
    if ((await this.#next(id))?.id !== id) throw new GivesWay();
  }

  /** A session as it was listed last. */
  #listed(listed: ListedSession): SessionItem {
    return this.#sessions?.find(({ id }) => id === listed.id)?.item ?? listed.item;
  }

  async #fetch(listed: ListedSession, signal: AbortSignal): Promise<void> {
    const { records, progress, log } = this.#options;
    try {
      if (await this.#isInCloud(listed, signal)) return;
      await this.#read(listed, signal);
      if (!listed.item.stillRecording) this.#liveChunks = 0;
      await finishSession(this.#options, listed.id);
      this.#refusals.clear(listed.id);
      this.#urgent = this.#urgent.filter((id) => id !== listed.id);
      if (await dropIfDeleted(this.#options, listed.id)) return;
      this.#options.onStored();
      if (await this.#release(listed)) await this.#refreshOrPostpone();
    } catch (error) {
      if (error instanceof GivesWay) return;
      const deleted = await dropIfDeleted(this.#options, listed.id);
      if (deleted && !isLinkLost(error) && !signal.aborted) return;
      if (error instanceof CopyDiffers || contradicts(error)) {
        const reads = this.#countRead(listed.id);
        log('session.differs', { session: listed.item.sessionId, reads });
        if (reads >= MAX_READS) await this.#giveUp(listed.id, 'checksum_differs');
        else if (contradicts(error)) await dropCopy(this.#options, listed.id);
        return;
      }
      if (isNotSent(error)) {
        if (this.#listed(listed).stillRecording) {
          // A recording that is held brings nothing: whoever waits has its turn meanwhile.
          this.#liveChunks = LIVE_TURN_CHUNKS;
          return;
        }
        const reads = this.#countRead(listed.id);
        log('session.silent', { session: listed.item.sessionId, reads });
        if (reads >= MAX_READS) await this.#giveUp(listed.id, 'not_sent');
        return;
      }
      const trouble = troubleOf(error);
      if (!trouble && isRefusal(error)) {
        log('session.refused', { session: listed.item.sessionId, code: error.code });
        this.#refusals.postpone(listed.id);
        await records.update(listed.id, {
          trouble: { step: 'fetch', code: refusalTroubles[error.code] ?? 'recorder_refused' },
        });
        return;
      }
      if (!trouble) throw error;
      log('session.stuck', { session: listed.item.sessionId, trouble });
      await this.#giveUp(listed.id, trouble);
      // The list may be what is wrong: the session was deleted meanwhile, and is seen not to be there.
      if (trouble === 'session_gone') await this.#refreshOrPostpone();
    } finally {
      progress.clear(listed.id);
      await records.update(listed.id, { process: 0 });
    }
  }

  /**
   * Whether the cloud already holds the very audio of a session of which nothing is here. The recorder tells the
   * digest without its audio: it is asked for what follows the last chunk.
   */
  async #isInCloud({ item, id }: ListedSession, signal: AbortSignal): Promise<boolean> {
    const { session, records } = this.#options;
    const copies = (await records.work([id])).get(id)?.copies;
    const mayBe =
      copies?.phone.status === 'absent' &&
      copies.recorder.status === 'whole' &&
      copies.cloud.status === 'stored' &&
      copies.cloud.sha256 !== null;
    if (!mayBe || item.stillRecording || this.#urgent.includes(id)) return false;
    const end = Math.ceil(item.fileSize / CHUNK_SIZE);
    const digest = await session.readSession(item.sessionId, end, {
      signal,
      // Behind the end nothing follows: a chunk means that the list told the wrong length.
      onChunk: () => Promise.reject(new DeviceError('length_differs')),
    });
    await records.update(id, { audioBytes: digest.fileSize, copies: { recorder: told(digest) } });
    return (await records.work([id])).get(id)?.copies.cloud.status === 'verified';
  }

  /** Reads what is missing; afterwards the phone's copy is `whole` and its expected hash is known. */
  async #read(listed: ListedSession, signal: AbortSignal): Promise<void> {
    const { session, readWhole, records, audio, progress, onHeard } = this.#options;
    const { item, id } = listed;
    const copy = (await records.work([id])).get(id)?.copies.phone;
    if (copy?.status === 'whole') return;
    const file = await audio.openPackets(id, CHUNK_SIZE);
    // It may be deleted for good while it is read, and may have been just now.
    let deletedPerhaps = true;
    const unsubscribe = records.subscribe(() => {
      deletedPerhaps = true;
    });
    try {
      let written = file.bytes;
      await records.update(id, {
        trouble: null,
        copies: { phone: { status: 'partial', bytes: file.bytes } },
      });
      const read: RecorderSession['readSession'] = (...asked) =>
        item.stillRecording || !readWhole ? session.readSession(...asked) : readWhole(...asked);
      const digest = await read(item.sessionId, file.bytes / CHUNK_SIZE, {
        signal,
        onChunk: async (index, bytes) => {
          if (deletedPerhaps) {
            deletedPerhaps = false;
            if ((await records.tombstones([id])).has(id)) throw new Deleted();
          }
          await file.append(bytes);
          const { stillRecording, fileSize } = this.#listed(listed);
          if (stillRecording) onHeard?.(id, index, bytes);
          const fraction = file.bytes / Math.max(fileSize, file.bytes);
          progress.set(id, stillRecording ? { step: 'record' } : { step: 'fetch', fraction });
          const step = stillRecording ? DURABLE_LIVE_BYTES : fileSize * DURABLE_PROGRESS;
          if (file.bytes - written >= step) {
            written = file.bytes;
            await records.update(id, {
              process: stillRecording ? 0 : Math.round(fraction * 100),
              copies: { phone: { status: 'partial', bytes: written } },
            });
          }
          await this.#mayGoOn(id, stillRecording);
        },
      });
      await records.update(id, {
        audioBytes: digest.fileSize,
        copies: {
          recorder: told(digest),
          phone: { status: 'whole', bytes: file.bytes },
        },
      });
    } catch (error) {
      await records.update(id, { copies: { phone: { status: 'partial', bytes: file.bytes } } });
      throw error;
    } finally {
      unsubscribe();
      await file.close();
    }
  }

  /** What its owner wants kept has changed, perhaps: the recorder's copies may go by now. */
  look(): void {
    this.#work.raise();
  }

  /**
   * Takes those off the recorder that are allowed to go, since their owner does not want them there. What is
   * to be read meanwhile comes first. @returns whether there is such a thing
   */
  async #releaseAll(): Promise<boolean> {
    if (!isDeletionDue(await this.#options.storage(), 'recorder', this.#clock.now())) return false;
    let released = 0;
    for (const listed of this.#sessions ?? []) {
      if (this.#work.take()) {
        this.#work.raise();
        break;
      }
      if (!listed.item.stillRecording && (await this.#release(listed))) released += 1;
    }
    // It is listed again once, not for each: that takes a command for every few sessions.
    if (released > 0) await this.#refreshOrPostpone();
    return released > 0;
  }

  /** Takes the session off the recorder if that is allowed by now. @returns whether it went */
  async #release({ item, id }: ListedSession): Promise<boolean> {
    const { records, session, log } = this.#options;
    if (this.#refusals.isWaiting(id)) return false;
    const survivor = await this.#survivor(id);
    if (!survivor) return false;
    try {
      await session.deleteSession(item.sessionId);
    } catch (error) {
      // The owner may have been quicker.
      if (!isGone(error)) {
        if (!isRefusal(error)) throw error;
        log('session.not_released', { session: item.sessionId, code: error.code });
        this.#refusals.postpone(id);
        return false;
      }
    }
    await records.update(id, {
      copies: { recorder: { status: 'absent' } },
      deletion: { place: 'recorder', because: 'storage_setting', survivor },
    });
    log('session.released', { session: item.sessionId, survivor: survivor.place });
    return true;
  }

  /** Finds the copy because of which the recorder's may be deleted now, confirmed where it is; null if there is none. */
  async #survivor(id: string): Promise<Survivor | null> {
    const { audio, cloudDigest, log, records } = this.#options;
    const survivor = await this.#survivorOnRecord(id);
    if (!survivor) return null;
    if (survivor.place === 'cloud') {
      const inCloud = await cloudDigest?.(id);
      if (!inCloud?.ok || inCloud.data !== survivor.sha256) return null;
    } else if (!(await audio.master(id))) {
      // The file is gone: the session is read again.
      log('session.copy_lost');
      await records.update(id, { localfile: '', copies: { phone: { status: 'absent' } } });
      this.#work.raise();
      return null;
    }
    // The setting or the copies may have changed while the copy was looked at.
    const now = await this.#survivorOnRecord(id);
    return now?.place === survivor.place && now.sha256 === survivor.sha256 ? now : null;
  }

  /** Finds the copy that allows the deletion of the recorder's, as the records and the storage policy are now. */
  async #survivorOnRecord(id: string): Promise<Survivor | null> {
    const { records, storage, storagePersists } = this.#options;
    const copies = (await records.work([id])).get(id)?.copies;
    const policy = await storage();
    if (!copies || !isDeletionDue(policy, 'recorder', this.#clock.now())) return null;
    return survivorOfRecorderCopy(copies, policy.setting, storagePersists());
  }

  /** @returns how often the session was read in vain */
  #countRead(id: string): number {
    const reads = (this.#reads.get(id) ?? 0) + 1;
    this.#reads.set(id, reads);
    return reads;
  }

  async #giveUp(id: string, code: FetchTrouble): Promise<void> {
    const trouble: Trouble = { step: 'fetch', code };
    await this.#options.records.update(id, { trouble });
    // Only now: until its owner can see it, it is tried again.
    this.#stuck.add(id);
  }
}

/** Another session is to be read first. */
class GivesWay extends Error {}

/** The recording was deleted for good while it was read. */
class Deleted extends Error {}

/** Whether the recorder sends nothing of a session, or nothing that can be read, while it answers. */
function isNotSent(error: unknown): boolean {
  return (
    error instanceof DeviceError &&
    (error.code === 'stream_silent' || error.code === 'reply_malformed')
  );
}

/** Whether the recorder does not know the session. */
function isGone(error: unknown): boolean {
  return error instanceof DeviceError && error.code === 'session_unknown';
}

/**
 * Whether the recorder has less of a session than the phone, or says that it has: what was read is not
 * what it kept, or it is wrong about its length.
 */
function contradicts(error: unknown): boolean {
  return (
    error instanceof DeviceError &&
    (error.code === 'chunk_out_of_range' || error.code === 'length_differs')
  );
}

/**
 * Whether the recorder answered, and did not do what it was asked for; or its answer could not be read. The link is
 * fine, and so are other requests.
 */
function isRefusal(error: unknown): error is DeviceError {
  return error instanceof DeviceError && error.code !== 'aborted' && !isLinkLost(error);
}

/** What refusals of a session mean to its owner; any other is `recorder_refused`. */
const refusalTroubles: Partial<Record<DeviceError['code'], FetchTrouble>> = {
  busy: 'recorder_busy',
  transfer_running: 'recorder_busy',
  hardware_abnormal: 'recorder_fault',
};

/** The recorder's copy, once the recorder told its digest. */
function told({ fileSize, sha256 }: SessionDigest): CopyState {
  return { status: 'verified', bytes: fileSize, sha256: sha256From(toHex(sha256)) };
}

/**
 * Transfers the recordings that an Omi stored while disconnected. Reads blocks up to a pause in time, and stores them
 * as a recording. Blocks are deleted from the Omi only if the user allows it, and only after verified copies exist
 * elsewhere. After a lost connection, the transfer continues at the next block. After a crash, it rereads unstored
 * blocks and recognizes recordings that are already stored.
 */
import { PACKET_BYTES, PACKET_MS } from '@linnet/audio/format';
import { Coalesced, type Store, writable } from '@linnet/base';
import { wholeSeconds } from '@linnet/contract/durations';
import { TransportError } from '@linnet/device/transport';
import {
  type OmiCodec,
  OmiError,
  type OmiSession,
  type OmiStorage,
  packetMs,
  type StoredBlock,
  type StoredRange,
} from '@linnet/omi';
import {
  AudioStoreError,
  type Clock,
  finishLeftovers,
  type Log,
  type ProgressBoard,
  RecorderSurvivors,
  type RecordStore,
  type RecordWork,
  type RetentionOptions,
  recordingId,
  removeIfDeleted,
  type SessionAudio,
  StorageFull,
  type Survivor,
} from '@linnet/sync';
import type { PackAudio } from './capture.ts';
import { createMark, fingerprint, type StorageProgress, storedBlocks } from './stored-blocks.ts';

/** Blocks per request: 10 to 20 seconds of audio, the most that a lost connection costs. */
const BATCH = 100;
/** A pause of more than this many seconds between two blocks separates two recordings. */
const PAUSE_SECONDS = 60;
/**
 * Maximum length of a recording in milliseconds. A longer one is divided, because its audio is held in memory until
 * it's stored.
 */
const MAX_MS = 30 * 60_000;

export type StoredSyncOptions = RetentionOptions & {
  readonly session: Store<OmiSession | null>;
  readonly records: RecordStore;
  readonly audio: SessionAudio;
  readonly progress: ProgressBoard;
  readonly pack: PackAudio;
  readonly clock: Pick<Clock, 'now'>;
  readonly serial: () => string;
  readonly owner: () => string | null;
  /** Whether the user allows the app to delete stored recordings from this Omi. */
  readonly mayDelete: () => boolean;
  /** Whether a live recording is in progress. It has priority. */
  readonly isRecording: () => boolean;
  readonly onStored: () => void;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

export type StoredSync = {
  /** The progress of the transfer in percent, or null without a transfer. */
  readonly progress: Store<number | null>;
  /** Continues a transfer that was paused by a recording. */
  wake(): void;
  /** Retries creating the files of recordings whose audio is stored. */
  complete(): Promise<void>;
  /** Discards unstored blocks, which are still on the Omi. Call it once the session is closed. */
  stop(): Promise<void>;
};

/** Blocks that belong to one recording. */
type CollectedBlocks = { readonly serial: string; readonly codec: OmiCodec; blocks: StoredBlock[] };

function computeDuration(blocks: readonly StoredBlock[], codec: OmiCodec): number {
  return blocks.reduce((sum, { packets }) => sum + packets.length, 0) * packetMs(codec);
}

/** Returns the size of `ms` of audio after conversion, in bytes. */
function packedBytes(ms: number): number {
  return Math.ceil(ms / PACKET_MS) * PACKET_BYTES;
}

/**
 * Returns how many of the blocks are stored in a recording that begins with the first one, or 0 if its audio is
 * missing.
 */
function storedCount(
  { audioBytes, copies: { phone, cloud } }: Pick<RecordWork, 'audioBytes' | 'copies'>,
  blocks: readonly StoredBlock[],
  codec: OmiCodec,
): number {
  const isMissing = phone.status === 'partial' || phone.status === 'absent';
  if (isMissing && cloud.status === 'absent') return 0;
  let ms = 0;
  for (const [index, block] of blocks.entries()) {
    ms += computeDuration([block], codec);
    const bytes = packedBytes(ms);
    // A block that is only partly stored is stored again.
    if (bytes >= audioBytes) return bytes === audioBytes ? index + 1 : Math.max(index, 1);
  }
  return blocks.length;
}

/** Returns whether a block continues the blocks before it. */
function continues(before: readonly StoredBlock[], block: StoredBlock, codec: OmiCodec): boolean {
  const last = before.at(-1);
  if (!last) return true;
  if (block.number !== last.number + 1 || computeDuration(before, codec) >= MAX_MS) return false;
  if (block.time === null || last.time === null) return block.time === last.time;
  return Math.abs(block.time - last.time) <= PAUSE_SECONDS;
}

/** Returns whether blocks are still on the Omi, which may have been reset or have lost its file. */
async function hasBlocks(
  storage: OmiStorage,
  { first, end }: StoredRange,
  { next, mark: { count, hash } }: Pick<StorageProgress, 'next' | 'mark'>,
): Promise<boolean> {
  if (count === 0 || next - count < first || next > end) return false;
  const blocks = await storage.read(next - count, count);
  return blocks.length === count && fingerprint(blocks) === hash;
}

export function createStoredSync(options: StoredSyncOptions): StoredSync {
  const { session, records, audio, clock, log, onError } = options;
  const progress = writable<number | null>(null);
  let collected: CollectedBlocks | null = null;
  /** The session whose blocks have all been read. The next session reads blocks that are stored later. */
  let completedSession: OmiSession | null = null;

  const isCurrent = (current: OmiSession) =>
    session.get() === current && options.owner() !== null && !options.isRecording();

  /**
   * Finds copies that make it safe to delete the Omi's blocks. The phone's copy was verified against the received
   * audio.
   */
  const survivors = new RecorderSurvivors(
    {
      ...options,
      records: {
        update: records.update,
        async work(ids) {
          const works = [...(await records.work(ids))];
          return new Map(
            works.map(([id, { copies, ...work }]) => {
              const { phone } = copies;
              const recorder = phone.status === 'verified' ? phone : copies.recorder;
              return [id, { ...work, copies: { ...copies, recorder } }];
            }),
          );
        },
      },
    },
    clock,
  );

  /**
   * Stores the collected blocks as a recording.
   * @returns the recording's ID, or null without one, and the blocks that aren't part of it
   * @throws {AudioStoreError}
   */
  async function store(
    uid: string,
    { serial, codec, blocks }: CollectedBlocks,
  ): Promise<{ readonly id: string | null; readonly rest: readonly StoredBlock[] }> {
    const [first] = blocks;
    if (!first || computeDuration(blocks, codec) === 0) return { id: null, rest: [] };
    const id = recordingId(serial, first.number, first.time ?? fingerprint([first]));
    const startMs =
      first.time === null ? clock.now() - computeDuration(blocks, codec) : first.time * 1000;
    const existingRecord = (await records.work([id])).get(id);
    const count = existingRecord ? storedCount(existingRecord, blocks, codec) : 0;
    // The recording was stored before a crash. The Omi may have recorded more since.
    if (count > 0) return { id, rest: blocks.slice(count) };
    const outcome = await records.ensure({
      ...{ id, uid, sn: serial, deviceFileId: first.number, source: 'phone', scene: 'note' },
      createDate: new Date(startMs).toISOString(),
      seconds: wholeSeconds(computeDuration(blocks, codec) / 1000),
      audioBytes: packedBytes(computeDuration(blocks, codec)),
    });
    // The first block was part of the deleted recording. The number of its other blocks is unknown.
    if (outcome === 'deleted') return { id: null, rest: blocks.slice(1) };
    await audio.discardPackets(id);
    const items = blocks.flatMap(({ packets }) =>
      packets.map((bytes) => ({ type: 'packet', bytes }) as const),
    );
    const packets = await options.pack(id, codec.id, items, true);
    const file = await audio.openPackets(id, PACKET_BYTES);
    try {
      await file.append(packets);
    } finally {
      await file.close();
    }
    const bytes = packets.length;
    await records.update(id, {
      audioBytes: bytes,
      record_time: wholeSeconds((bytes / PACKET_BYTES) * (PACKET_MS / 1000)),
      copies: { phone: { status: 'whole', bytes } },
    });
    await finishLeftovers({ ...options, uid });
    if (await removeIfDeleted(options, id)) return { id: null, rest: [] };
    const stored = (await records.work([id])).get(id);
    if (stored && storedCount(stored, blocks, codec) === 0) throw new AudioStoreError('io_failed');
    log('omi.stored', { bytes });
    options.onStored();
    return { id, rest: [] };
  }

  /** Stores the collected blocks, and records that they are stored. */
  async function storeCollected(): Promise<void> {
    while (collected && collected.blocks.length > 0) {
      const uid = options.owner();
      if (uid === null) throw new TransportError('aborted');
      const { serial, blocks } = collected;
      const { id, rest } = await store(uid, collected);
      collected = { ...collected, blocks: [...rest] };
      const storedPart = blocks.slice(0, blocks.length - rest.length);
      const next = (storedPart.at(-1)?.number ?? 0) + 1;
      const recordings = storedBlocks.get(uid, serial)?.recordings ?? [];
      storedBlocks.set({
        ...{ uid, serial, next, mark: createMark(storedPart) },
        recordings: id === null ? recordings : [...recordings, { id, end: next }],
      });
    }
  }

  /** Returns the number of the first unstored block. */
  async function firstUnstored(
    storage: OmiStorage,
    range: StoredRange,
    uid: string,
    serial: string,
  ): Promise<number> {
    const { first } = range;
    const stored = storedBlocks.get(uid, serial);
    if (!stored) return first;
    if (stored.next <= first || !(await hasBlocks(storage, range, stored))) {
      storedBlocks.forget(uid, serial);
      return first;
    }
    // The Omi deletes its oldest blocks when its storage is full.
    const recordings = stored.recordings.filter(({ end }) => end > first);
    storedBlocks.set({ ...stored, recordings });
    return stored.next;
  }

  /** Deletes the stored blocks from the Omi, if the user allows it and verified copies of all of them exist. */
  async function deleteStored(
    current: OmiSession,
    storage: OmiStorage,
    uid: string,
    serial: string,
  ): Promise<void> {
    const stored = storedBlocks.get(uid, serial);
    if (!stored || !options.mayDelete() || !(await survivors.isDue())) return;
    const deletedPermanently = await records.tombstones(stored.recordings.map(({ id }) => id));
    const found: { readonly id: string; readonly survivor: Survivor }[] = [];
    for (const { id } of stored.recordings) {
      if (deletedPermanently.has(id)) continue;
      const survivor = await survivors.find(id);
      // The next connection reads it again.
      if (survivor === 'copy_lost') storedBlocks.forget(uid, serial);
      if (survivor === null || survivor === 'copy_lost') return;
      found.push({ id, survivor });
    }
    if (found.length === 0 || !options.mayDelete() || !isCurrent(current)) return;
    await storage.deleteBefore(stored.next);
    const { first, end } = await storage.range();
    // A development kit deletes its file only as a whole, so it deleted nothing if it has recorded more in the
    // meantime.
    if (first < stored.next && stored.next <= end) return;
    storedBlocks.forget(uid, serial);
    for (const { id, survivor } of found) {
      await records.update(id, {
        deletion: { place: 'recorder', because: 'storage_setting', survivor },
      });
    }
    log('omi.deleted', { recordings: found.length });
  }

  async function transfer(current: OmiSession): Promise<void> {
    const { storage, codec } = current;
    const uid = options.owner();
    if (!storage || uid === null) return;
    const serial = options.serial();
    const range = await storage.range();
    const { first, end } = range;
    const isSame = collected?.serial === serial && collected.codec.id === codec.id;
    const earlierBlocks = isSame ? (collected?.blocks ?? []) : [];
    const nextNumber = (earlierBlocks.at(-1)?.number ?? 0) + 1;
    const isContinued = await hasBlocks(storage, range, {
      next: nextNumber,
      mark: createMark(earlierBlocks),
    });
    if (!isContinued) await storeCollected();
    if (!isContinued || !collected) collected = { serial, codec, blocks: [] };
    let next = isContinued ? nextNumber : await firstUnstored(storage, range, uid, serial);
    while (next < end && isCurrent(current)) {
      progress.set(Math.floor(((next - first) / (end - first)) * 100));
      const blocks = await storage.read(next, Math.min(BATCH, end - next));
      if (blocks.length === 0) break;
      for (const block of blocks) {
        if (!continues(collected.blocks, block, codec)) await storeCollected();
        collected.blocks.push(block);
      }
      next += blocks.length;
    }
    if (next < end) return;
    await storeCollected();
    await deleteStored(current, storage, uid, serial);
    completedSession = current;
  }

  const pass = new Coalesced(async () => {
    const current = session.get();
    if (!current || current === completedSession || !isCurrent(current)) return;
    try {
      await transfer(current);
    } catch (error) {
      // The next connection continues. The app shows a full disk elsewhere.
      if (error instanceof TransportError || error instanceof StorageFull) return;
      if (error instanceof OmiError || error instanceof AudioStoreError) {
        log('omi.stored_failed', { code: error.code });
      } else onError(error);
      completedSession = current;
    } finally {
      progress.set(null);
    }
  });
  let running: Promise<unknown> = Promise.resolve();
  const wake = () => {
    running = Promise.all([running, pass.run().catch(onError)]);
  };
  session.subscribe(wake);

  return {
    progress,
    wake,
    async complete() {
      const uid = options.owner();
      if (uid !== null) await finishLeftovers({ ...options, uid });
    },
    async stop() {
      await running;
      collected = null;
      completedSession = null;
    },
  };
}

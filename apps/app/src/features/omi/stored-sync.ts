/**
 * Transfers what an Omi kept while it was alone. Blocks are read up to a pause in time and stored as a recording. They
 * are never deleted from the Omi. After a cut, the transfer continues at the next block; after a crash, blocks that
 * aren't stored yet are read again, and recordings that are stored already are recognized.
 */
import { PACKET_BYTES, PACKET_MS } from '@linnet/audio/format';
import { Coalesced, type Store, writable } from '@linnet/base';
import { wholeSeconds } from '@linnet/contract/durations';
import { TransportError } from '@linnet/device/transport';
import { type OmiCodec, OmiError, type OmiSession, packetMs, type StoredBlock } from '@linnet/omi';
import {
  AudioStoreError,
  type Clock,
  finishLeftovers,
  type Log,
  type ProgressBoard,
  type RecordStore,
  type RecordWork,
  recordingId,
  type SessionAudio,
  StorageFull,
} from '@linnet/sync';
import type { PackAudio } from './capture.ts';

/** Blocks per request: 10 to 20 seconds of audio, which a cut costs at most. */
const BATCH = 100;
/** A pause of more than this many seconds between two blocks separates two recordings. */
const PAUSE_SECONDS = 60;
/** Longest recording in milliseconds. A longer one is divided, because its audio is held in memory until it's stored. */
const MAX_MS = 30 * 60_000;

export type StoredSyncOptions = {
  readonly session: Store<OmiSession | null>;
  readonly records: RecordStore;
  readonly audio: SessionAudio;
  readonly progress: ProgressBoard;
  readonly pack: PackAudio;
  readonly clock: Pick<Clock, 'now'>;
  readonly serial: () => string;
  readonly owner: () => string | null;
  /** Whether a live recording is in progress, which has priority. */
  readonly isRecording: () => boolean;
  readonly onStored: () => void;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

export type StoredSync = {
  /** The progress of the transfer in percent, or null if there's none. */
  readonly progress: Store<number | null>;
  /** Continues a transfer that a recording held up. */
  wake(): void;
  /** Call it once the session is closed. Forgets what isn't stored yet; it's still on the Omi. */
  stop(): Promise<void>;
};

/** Blocks that belong to one recording. */
type Collected = { readonly serial: string; readonly codec: OmiCodec; blocks: StoredBlock[] };

function msOf(blocks: readonly StoredBlock[], codec: OmiCodec): number {
  return blocks.reduce((sum, { packets }) => sum + packets.length, 0) * packetMs(codec);
}

/** Returns the size of the packets to which audio is converted. */
function packedBytes(ms: number): number {
  return Math.ceil(ms / PACKET_MS) * PACKET_BYTES;
}

/** Returns how many of the blocks a recording contains that begins with the first one, or 0 if its audio is missing. */
function storedCount(
  { audioBytes, copies: { phone, cloud } }: Pick<RecordWork, 'audioBytes' | 'copies'>,
  blocks: readonly StoredBlock[],
  codec: OmiCodec,
): number {
  const isMissing = phone.status === 'partial' || phone.status === 'absent';
  if (isMissing && cloud.status === 'absent') return 0;
  let ms = 0;
  for (const [index, block] of blocks.entries()) {
    ms += msOf([block], codec);
    const bytes = packedBytes(ms);
    // A block that isn't part of it as a whole is stored again.
    if (bytes >= audioBytes) return bytes === audioBytes ? index + 1 : Math.max(index, 1);
  }
  return blocks.length;
}

/** Returns whether a block is the continuation of others. */
function continues(before: readonly StoredBlock[], block: StoredBlock, codec: OmiCodec): boolean {
  const last = before.at(-1);
  if (!last) return true;
  if (block.number !== last.number + 1 || msOf(before, codec) >= MAX_MS) return false;
  if (block.time === null || last.time === null) return block.time === last.time;
  return Math.abs(block.time - last.time) <= PAUSE_SECONDS;
}

/** Identifies the first block of a recording, whose number may be used again by a development kit. */
function fingerprint({ packets }: StoredBlock): number {
  let hash = 0x811c9dc5;
  for (const packet of packets) {
    for (const byte of packet) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash;
}

export function createStoredSync(options: StoredSyncOptions): StoredSync {
  const { session, records, audio, clock, log, onError } = options;
  const progress = writable<number | null>(null);
  let collected: Collected | null = null;
  /** The session whose blocks have all been read. The next session reads those that are stored later. */
  let done: OmiSession | null = null;

  const isCurrent = (current: OmiSession) =>
    session.get() === current && options.owner() !== null && !options.isRecording();

  /** Stores the collected blocks as a recording. @returns the blocks that aren't part of it */
  async function store({ serial, codec, blocks }: Collected): Promise<StoredBlock[]> {
    const uid = options.owner();
    const [first] = blocks;
    if (uid === null) throw new TransportError('aborted');
    if (!first || msOf(blocks, codec) === 0) return [];
    const id = recordingId(serial, first.number, first.time ?? fingerprint(first));
    const startMs = first.time === null ? clock.now() - msOf(blocks, codec) : first.time * 1000;
    const known = (await records.work([id])).get(id);
    const count = known ? storedCount(known, blocks, codec) : 0;
    // A crash came after the recording was stored. The Omi may have recorded more since.
    if (count > 0) return blocks.slice(count);
    const outcome = await records.ensure({
      ...{ id, uid, sn: serial, deviceFileId: first.number, source: 'phone', scene: 'note' },
      createDate: new Date(startMs).toISOString(),
      seconds: wholeSeconds(msOf(blocks, codec) / 1000),
      audioBytes: packedBytes(msOf(blocks, codec)),
    });
    // The first block was part of the deleted recording. How many others were isn't known.
    if (outcome === 'deleted') return blocks.slice(1);
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
    log('omi.stored', { bytes });
    options.onStored();
    return [];
  }

  /** Stores the collected blocks. */
  async function storeCollected(): Promise<void> {
    while (collected && collected.blocks.length > 0) {
      collected = { ...collected, blocks: await store(collected) };
    }
  }

  async function transfer(current: OmiSession): Promise<void> {
    const { storage, codec } = current;
    if (!storage) return;
    const serial = options.serial();
    const { first, end } = await storage.range();
    const isSame = collected?.serial === serial && collected.codec.id === codec.id;
    const last = isSame ? collected?.blocks.at(-1) : undefined;
    // Blocks may have been deleted meanwhile, or all of them after a reset.
    const isContinued = last !== undefined && last.number >= first - 1 && last.number < end;
    if (!isContinued) await storeCollected();
    if (!isContinued || !collected) collected = { serial, codec, blocks: [] };
    let next = isContinued ? last.number + 1 : first;
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
    done = current;
  }

  const pass = new Coalesced(async () => {
    const current = session.get();
    if (!current || current === done || !isCurrent(current)) return;
    try {
      await transfer(current);
    } catch (error) {
      // The next connection continues. A full disk is shown elsewhere.
      if (error instanceof TransportError || error instanceof StorageFull) return;
      if (error instanceof OmiError || error instanceof AudioStoreError) {
        log('omi.stored_failed', { code: error.code });
      } else onError(error);
      done = current;
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
    async stop() {
      await running;
      collected = null;
      done = null;
    },
  };
}

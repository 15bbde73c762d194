/** Reads the recordings that an Omi stored while disconnected. A read can be resumed at any block. */
import type { GattLink } from '@linnet/device/gatt';
import { GattCommands } from '@linnet/device/gatt-commands';
import { OmiError } from './errors.ts';
import { characteristics } from './layout.ts';
import {
  BLOCK_BYTES,
  fileCommand,
  fileCommands,
  fileResults,
  RECORD_BYTES,
  readBlock,
  ringCommand,
  ringCommands,
  ringNotices,
} from './storage-layout.ts';

/** A block of stored packets with 100 to 200 ms of audio. */
export type StoredBlock = {
  /** The block's number on the recorder. Numbers are consecutive; a CV1 never reuses them. */
  readonly number: number;
  /** When the block was stored, in seconds since 1970, or null if the recorder's clock wasn't set. */
  readonly time: number | null;
  readonly packets: readonly Uint8Array[];
};

/** The numbers of the stored blocks. */
export type StoredRange = {
  readonly first: number;
  /** The number after the last block. */
  readonly end: number;
};

export interface OmiStorage {
  /** @throws {OmiError} @throws {TransportError} */
  range(): Promise<StoredRange>;
  /**
   * Reads consecutive blocks. Returns fewer if fewer are stored.
   * @throws {OmiError} `storage_incomplete` if any bytes were lost, in which case no blocks are returned
   * @throws {TransportError}
   */
  read(first: number, count: number): Promise<readonly StoredBlock[]>;
  /**
   * Deletes the blocks before a number if the recorder supports partial deletion. A development kit can only delete its
   * whole file, and only after all of it has been read.
   * @throws {OmiError} @throws {TransportError}
   */
  deleteBefore(number: number): Promise<void>;
}

/** How long the recorder may stay silent, in milliseconds. Development kits pause for a second before sending. */
const SILENCE_MS = 10_000;

function toDataView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Collects the bytes of a read. */
class ReceivedBytes {
  readonly #bytes: Uint8Array;
  #size = 0;

  constructor(expected: number) {
    this.#bytes = new Uint8Array(expected);
  }

  add(bytes: Uint8Array): void {
    if (this.#size + bytes.length > this.#bytes.length) throw new OmiError('storage_incomplete');
    this.#bytes.set(bytes, this.#size);
    this.#size += bytes.length;
  }

  get isComplete(): boolean {
    return this.#size === this.#bytes.length;
  }

  /** Returns the bytes in pieces of equal size. @throws {OmiError} `storage_incomplete` */
  pieces(size: number): Uint8Array[] {
    if (!this.isComplete) throw new OmiError('storage_incomplete');
    return Array.from({ length: this.#size / size }, (_, index) =>
      this.#bytes.subarray(index * size, (index + 1) * size),
    );
  }
}

class RingStorage implements OmiStorage {
  readonly #commands: GattCommands;

  constructor(commands: GattCommands) {
    this.#commands = commands;
  }

  range(): Promise<StoredRange> {
    return this.#commands.run(ringCommand(ringCommands.info), (bytes) => {
      this.#throwIfRefused(bytes);
      if (bytes[0] !== ringNotices.info || bytes.length < 31) return undefined;
      const view = toDataView(bytes);
      if (view.getUint16(29) !== RECORD_BYTES) throw new OmiError('storage_refused');
      return { first: Number(view.getBigUint64(1)), end: Number(view.getBigUint64(9)) };
    });
  }

  read(first: number, count: number): Promise<readonly StoredBlock[]> {
    let received: ReceivedBytes | null = null;
    const command = ringCommand(ringCommands.read, BigInt(first), count);
    return this.#commands.run(command, (bytes) => {
      switch (bytes[0]) {
        case ringNotices.begin: {
          const view = toDataView(bytes);
          if (Number(view.getBigUint64(1)) !== first) throw new OmiError('storage_incomplete');
          received = new ReceivedBytes(Math.min(view.getUint32(9), count) * RECORD_BYTES);
          return undefined;
        }
        case ringNotices.data:
          received?.add(bytes.subarray(1));
          return undefined;
        case ringNotices.done:
          if (bytes[1] !== 0 || !received) throw new OmiError('storage_incomplete');
          return received.pieces(RECORD_BYTES).map((record, index) => ({
            number: first + index,
            time: toDataView(record).getUint32(0) || null,
            packets: readBlock(record.subarray(4)),
          }));
        default:
          this.#throwIfRefused(bytes);
          return undefined;
      }
    });
  }

  async deleteBefore(number: number): Promise<void> {
    await this.#commands.run(ringCommand(ringCommands.advance, BigInt(number)), (bytes) => {
      this.#throwIfRefused(bytes);
      return bytes[0] === ringNotices.ack || undefined;
    });
  }

  #throwIfRefused(bytes: Uint8Array): void {
    if (bytes[0] === ringNotices.ack && bytes[1] !== 0) throw new OmiError('storage_refused');
  }
}

class FileStorage implements OmiStorage {
  readonly #commands: GattCommands;
  readonly #link: GattLink;

  constructor(commands: GattCommands, link: GattLink) {
    this.#commands = commands;
    this.#link = link;
  }

  async range(): Promise<StoredRange> {
    const size = toDataView(await this.#link.read(characteristics.stored)).getUint32(0, true);
    return { first: 0, end: Math.floor(size / BLOCK_BYTES) };
  }

  async read(first: number, count: number): Promise<readonly StoredBlock[]> {
    const { end } = await this.range();
    const available = Math.min(count, end - first);
    if (available <= 0) return [];
    const toBlocks = (received: ReceivedBytes) =>
      received.pieces(BLOCK_BYTES).map((block, index) => ({
        number: first + index,
        time: null,
        packets: readBlock(block),
      }));
    const received = new ReceivedBytes(available * BLOCK_BYTES);
    const offset = first * BLOCK_BYTES;
    let isSending = true;
    const reading = this.#commands.run(fileCommand(fileCommands.read, offset), (bytes) => {
      if (bytes.length > 1) {
        received.add(bytes);
        // The recorder sends the rest of the file until it's stopped.
        return received.isComplete && first + available < end ? toBlocks(received) : undefined;
      }
      if (bytes[0] === fileResults.ok) return undefined;
      isSending = false;
      if (bytes[0] === fileResults.end) return toBlocks(received);
      throw new OmiError('storage_refused');
    });
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof OmiError) || error.code !== 'storage_incomplete') isSending = false;
      throw error;
    } finally {
      // Otherwise, the next command would receive the rest of the file as its response.
      if (isSending) await this.#stop();
    }
  }

  async #stop(): Promise<void> {
    await this.#commands.run(fileCommand(fileCommands.stop), (bytes) =>
      bytes.length === 1 && bytes[0] === fileResults.ok ? true : undefined,
    );
  }

  async deleteBefore(number: number): Promise<void> {
    const { end } = await this.range();
    if (number < end) return;
    await this.#commands.run(fileCommand(fileCommands.clear), (bytes) => {
      if (bytes.length > 1 || bytes[0] === fileResults.ok) return undefined;
      if (bytes[0] !== fileResults.cleared) throw new OmiError('storage_refused');
      return true;
    });
  }
}

/** Length of the ring's status in bytes: used bytes, unread records, free bytes, whether the clock is set. */
const RING_STATUS_BYTES = 16;
/** Length of the file's status in bytes: its size, and where the last read ended. */
const FILE_STATUS_BYTES = 8;

/**
 * Opens the storage of a recorder.
 * @returns null if it has none, or none with a known layout
 * @throws {TransportError}
 */
export async function openStorage(link: GattLink): Promise<OmiStorage | null> {
  if (!(await link.has(characteristics.stored.service))) return null;
  const { length } = await link.read(characteristics.stored);
  if (length !== RING_STATUS_BYTES && length !== FILE_STATUS_BYTES) return null;
  const commands = new GattCommands(link, {
    write: characteristics.storage,
    notify: [characteristics.storage],
    silenceMs: SILENCE_MS,
    createSilenceError: () => new OmiError('storage_silent'),
  });
  await commands.open();
  return length === RING_STATUS_BYTES ? new RingStorage(commands) : new FileStorage(commands, link);
}

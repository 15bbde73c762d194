/**
 * The layouts of recordings that an Omi stores while disconnected. The CV1 has a ring of records; development kits with
 * a memory card have one file. Both contain blocks of 440 bytes with Opus packets.
 */

/** Size of a block of packets in bytes. */
export const BLOCK_BYTES = 440;
/** Size of a record in the ring: the time it was stored, followed by a block. */
export const RECORD_BYTES = 4 + BLOCK_BYTES;

/** Commands for the ring. Their numbers are big-endian. */
export const ringCommands = { stop: 0x03, info: 0x10, read: 0x11, advance: 0x12 } as const;
/** The first byte of the ring's notifications. */
export const ringNotices = { ack: 0x01, info: 0x02, data: 0x03, done: 0x04, begin: 0x05 } as const;

/** Commands for the file. Each has six bytes: the command, the file's number, and an offset in big-endian order. */
export const fileCommands = { read: 0, clear: 1, stop: 3 } as const;
/** The number of the only file in recent firmware. */
const FILE_NUMBER = 1;
/** Notifications of one byte: the result of a command. Others contain the file's bytes. */
export const fileResults = {
  ok: 0,
  invalidFile: 3,
  empty: 4,
  invalidCommand: 6,
  end: 100,
  cleared: 200,
} as const;

/**
 * Returns the packets in a block. A size precedes each packet; the last size may belong to a packet that didn't fit.
 */
export function readBlock(block: Uint8Array): Uint8Array[] {
  const packets: Uint8Array[] = [];
  for (let offset = 0; offset < block.length - 1; ) {
    const size = block[offset] as number;
    // No packet ends at the block's last byte. One that seems to is left over from an earlier block.
    if (size > 0 && offset + 1 + size >= block.length) break;
    if (size > 0) packets.push(block.slice(offset + 1, offset + 1 + size));
    offset += 1 + size;
  }
  return packets;
}

export function ringCommand(command: number, sequence?: bigint, count?: number): Uint8Array {
  const length = sequence === undefined ? 1 : count === undefined ? 9 : 13;
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, command);
  if (sequence !== undefined) view.setBigUint64(1, sequence);
  if (count !== undefined) view.setUint32(9, count);
  return bytes;
}

export function fileCommand(command: number, offset = 0): Uint8Array {
  const bytes = new Uint8Array(6);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, command);
  view.setUint8(1, FILE_NUMBER);
  view.setUint32(2, offset);
  return bytes;
}

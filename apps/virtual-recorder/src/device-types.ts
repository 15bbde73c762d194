/** The protocol's words that the whole recorder speaks. */
export { CHUNK_SIZE, PACKET_MS, PACKET_SIZE } from '@linnet/device/codec';
export type { RecordMode, RecordScene } from '@linnet/device/session';

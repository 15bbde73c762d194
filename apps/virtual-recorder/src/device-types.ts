/** The protocol's words that the whole recorder speaks. */
import type { RequestOf } from '@linnet/device/codec';

export { CHUNK_SIZE, PACKET_MS, PACKET_SIZE } from '@linnet/device/codec';
export type { RecordMode, RecordScene } from '@linnet/device/session';
/** What the owner may set. */
export type Settings = RequestOf<'generalSetting'>;

/** Model number that begins every serial. */
export const PROJECT_CODE = 'LNR1';

export { type OmiCodec, omiCodec, omiCodecs, packetMs } from './codecs.ts';
export { OmiError, type OmiErrorCode } from './errors.ts';
export { type ButtonEvent, omiProfile } from './layout.ts';
export type { AudioItem } from './packets.ts';
export {
  type LiveAudio,
  type OmiInfo,
  type OmiPower,
  type OmiSession,
  openOmiSession,
} from './session.ts';
export type { OmiStorage, StoredBlock, StoredRange } from './storage.ts';

export {
  COMPANY_ID,
  decodeAdvertisement,
  type ExtendInfo,
  encodeAdvertisement,
} from './advertisement.ts';
export * from './constants.ts';
export { crc8, crc16 } from './crc.ts';
export {
  decodeFrame,
  encodeFrame,
  encodeHeader,
  FLAG_SEALED,
  FRAME_KINDS,
  type Frame,
  FrameDecoder,
  type FrameKind,
  HEADER_SIZE,
  MAX_PAYLOAD,
  SYNC_MARKER,
  TRAILER_SIZE,
} from './frame.ts';
export { LayoutError } from './layout.ts';
export * from './message.ts';
export {
  CHALLENGE_LENGTH,
  COMMANDS,
  type CommandName,
  KEY_LENGTH,
  MAX_OPERATIONS,
  MAX_SESSION_ITEMS,
  MAX_WIFI_ITEMS,
  OWNER_TAG_LENGTH,
  REPORT_COMMAND,
  REPORTS,
  RESULTS,
  type ReportName,
  type ResultName,
  STREAM,
  type StreamName,
  TOKEN_LENGTH,
} from './messages.ts';

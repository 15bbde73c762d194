export { openRecorderSession } from './open.ts';
export { readSessionOverHttp } from './read-over-http.ts';
export {
  BIND_CONFIRM_MS,
  FRAME_GAP_MS,
  REQUEST_TIMEOUT_MS,
  SESSION_LIST_RETRY_MS,
  STREAM_SILENCE_MS,
  STREAM_WINDOW_CHUNKS,
  WRITE_DELAY_MS,
} from './timing.ts';
export type * from './types.ts';
export {
  DEVICE_ERROR_CODES,
  DeviceError,
  FIRMWARE_ERROR_CODES,
  FirmwareError,
  isLinkLost,
} from './types.ts';

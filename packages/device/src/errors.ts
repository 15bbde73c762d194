/**
 * The errors that can occur between the app and a recorder. The codes form two closed sets, and the user interface has
 * a message for each code. `cause` holds the underlying error.
 */

/**
 * The failures of the link itself: discovery, connection and writes.
 *
 * | code | cause | caller's action |
 * |---|---|---|
 * | unsupported | the browser or system has no such radio | offer a different transport |
 * | insecure_context | the page wasn't served from a secure origin | tell the user to use HTTPS |
 * | radio_off | the phone's Bluetooth is off or absent | offer its settings |
 * | permission_denied | the user or a policy denied access | explain, offer settings |
 * | chooser_cancelled | the user closed the browser's chooser | none, keep the page |
 * | chooser_needed | the browser requires a tap to open this recorder | show a "connect" button |
 * | not_found | the recorder isn't in range | search again |
 * | recorder_busy | the recorder is connected to another phone | ask the user to disconnect the other phone |
 * | not_a_recorder | the device lacks Linnet's service or characteristics | choose another device |
 * | address_not_allowed | the server's security policy doesn't allow this address | point to RECORDER_URLS |
 * | address_silent | no recorder responds at this address | check the address |
 * | connect_failed | the connection failed for an unknown reason | retry with backoff |
 * | link_lost | the link broke while in use | reconnect, resume |
 * | write_failed | the system rejected a write on an open link | close, reconnect |
 * | closed | the caller used a link after closing it | none (this is a programming error) |
 * | aborted | the caller's signal was aborted | none |
 */
export const TRANSPORT_ERROR_CODES = [
  'unsupported',
  'insecure_context',
  'radio_off',
  'permission_denied',
  'chooser_cancelled',
  'chooser_needed',
  'not_found',
  'recorder_busy',
  'not_a_recorder',
  'address_not_allowed',
  'address_silent',
  'connect_failed',
  'link_lost',
  'write_failed',
  'closed',
  'aborted',
] as const;
export type TransportErrorCode = (typeof TRANSPORT_ERROR_CODES)[number];

/** A failure of the link. See {@link TRANSPORT_ERROR_CODES} for the codes. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly code: TransportErrorCode;

  constructor(code: TransportErrorCode, options?: { cause?: unknown }) {
    super(code, options);
    this.code = code;
  }
}

/**
 * The failures of a request to a recorder. The first eight are the specification's recording errors (−1 and 1 to 7 on
 * the wire).
 *
 * | code | cause |
 * |---|---|
 * | bluetooth_abnormal … waiting_for_bind | the recorder returned −1, 1 … 7 |
 * | command_unknown | the recorder's firmware has no such command |
 * | request_malformed | the recorder couldn't read the request |
 * | session_unknown | the recorder has no session with this ID |
 * | session_recording | the session is still being recorded and can't be deleted |
 * | not_recording | no recording is in progress |
 * | token_refused | the token doesn't match |
 * | version_unsupported | the two sides have no protocol version in common |
 * | out_of_order | the command was sent before the handshake and the token |
 * | chunk_out_of_range | the chunk index is beyond the end of the session |
 * | binding_unknown | the recorder has no binding with this phone's key, because it was reset or bound again |
 * | channel_broken | a received frame wasn't sealed correctly, so the link was closed |
 * | bind_refused | the user didn't confirm on the recorder in time |
 * | battery_low | below 20% and not charging; firmware updates are refused |
 * | result_unknown | the result number is unknown; see `result` |
 * | length_differs | the session's announced length differs from the number of bytes sent |
 * | reply_malformed | the recorder's reply doesn't have the documented layout |
 * | stream_silent | the recorder responds but sends no session data |
 * | timeout | the recorder didn't respond in time |
 * | link_lost | the link closed during the request |
 * | transfer_running | a session is already being read over this link |
 * | aborted | the caller's signal was aborted |
 */
export const DEVICE_ERROR_CODES = [
  'bluetooth_abnormal',
  'space_full',
  'usb_disk_mode',
  'hardware_abnormal',
  'busy',
  'wifi_mode',
  'recording_stopped',
  'waiting_for_bind',
  'command_unknown',
  'request_malformed',
  'session_unknown',
  'session_recording',
  'not_recording',
  'token_refused',
  'version_unsupported',
  'out_of_order',
  'chunk_out_of_range',
  'binding_unknown',
  'channel_broken',
  'bind_refused',
  'battery_low',
  'result_unknown',
  'length_differs',
  'reply_malformed',
  'stream_silent',
  'timeout',
  'link_lost',
  'transfer_running',
  'aborted',
] as const;
export type DeviceErrorCode = (typeof DEVICE_ERROR_CODES)[number];

/** The firmware errors: the specification's codes 1 to 9, in order. */
export const FIRMWARE_ERROR_CODES = [
  'upgrade_failed',
  'version_mismatch',
  'flash_failed',
  'too_large',
  'too_many_attempts',
  'usb_disk_mode',
  'recording',
  'no_space',
  'ota_failed',
] as const;
export type FirmwareErrorCode = (typeof FIRMWARE_ERROR_CODES)[number];

/** A failed firmware update. `number` is the specification's code. */
export class FirmwareError extends Error {
  override readonly name = 'FirmwareError';
  readonly code: FirmwareErrorCode;
  readonly number: number;

  constructor(code: FirmwareErrorCode) {
    super(code);
    this.code = code;
    this.number = FIRMWARE_ERROR_CODES.indexOf(code) + 1;
  }
}

/** A failed request. If the recorder refused it, `result` is the number on the wire. */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';
  readonly code: DeviceErrorCode;
  readonly result: number | undefined;

  constructor(code: DeviceErrorCode, options?: { cause?: unknown; result?: number }) {
    super(code, options);
    this.code = code;
    this.result = options?.result;
  }
}

/** True if a request failed because the link is unusable, in which case any other request would fail too. */
export function isLinkLost(error: unknown): error is DeviceError {
  if (!(error instanceof DeviceError)) return false;
  return error.code === 'link_lost' || error.code === 'channel_broken' || error.code === 'timeout';
}

/**
 * Everything that can go wrong between an app and a recorder, as two closed sets of codes. Wording
 * belongs to whoever shows it; what caused an error stays in `cause`.
 */

/**
 * Failures of the link itself (finding, opening, writing).
 *
 * | code | cause | what a caller does |
 * |---|---|---|
 * | unsupported | this browser or system has no such radio | offer another transport |
 * | insecure_context | the page was not served from a secure origin | tell the owner to use HTTPS |
 * | radio_off | the phone's Bluetooth is off or absent | offer its settings |
 * | permission_denied | the owner or a policy refused access | explain, offer settings |
 * | chooser_cancelled | the owner closed the browser's chooser | nothing, stay where we are |
 * | chooser_needed | the browser only opens this recorder after a tap | show a "connect" button |
 * | not_found | no such recorder in range | search again |
 * | recorder_busy | the recorder serves another phone already | ask to disconnect the other one |
 * | not_a_recorder | the device lacks our service or characteristics | choose another device |
 * | connect_failed | the link could not be made, reason unknown | retry with backoff |
 * | link_lost | the link broke while in use | reconnect, resume |
 * | write_failed | the system refused a write on a live link | close, reconnect |
 * | closed | the caller used a link after closing it | a programming error |
 * | aborted | the caller's signal was aborted | nothing |
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
  'connect_failed',
  'link_lost',
  'write_failed',
  'closed',
  'aborted',
] as const;
export type TransportErrorCode = (typeof TRANSPORT_ERROR_CODES)[number];

/** A failure of the link; `code` is from {@link TRANSPORT_ERROR_CODES}. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly code: TransportErrorCode;

  constructor(code: TransportErrorCode, options?: { cause?: unknown }) {
    super(code, options);
    this.code = code;
  }
}

/**
 * Failures of a request to a recorder.
 *
 * The first eight are the recorder's own recording errors, numbers −1 and 1 to 7 on the wire. The
 * others are ours.
 *
 * | code | cause |
 * |---|---|
 * | bluetooth_abnormal … waiting_for_bind | the recorder answered −1, 1 … 7 |
 * | command_unknown | the recorder's firmware has no such command |
 * | request_malformed | the recorder could not read the request |
 * | session_unknown | no session of that id on the recorder |
 * | session_recording | the session is still being recorded, so it cannot be deleted |
 * | not_recording | there is nothing to stop |
 * | token_refused | the token does not match |
 * | version_unsupported | no protocol version in common |
 * | out_of_order | a command before handshake and token |
 * | chunk_out_of_range | reading from behind the end of the session |
 * | binding_unknown | the recorder has no binding with this phone's key: cleared, or bound anew |
 * | channel_broken | something came that is not sealed as agreed; the link is closed |
 * | bind_refused | the owner did not confirm on the recorder in time |
 * | battery_low | below 20 %, and not charging: no firmware is taken |
 * | result_unknown | a result number this app does not know; see `result` |
 * | length_differs | what the recorder says of a session's length is not what it sends |
 * | reply_malformed | the recorder's reply does not have the documented layout |
 * | stream_silent | the recorder answers, and sends nothing of the session |
 * | timeout | no answer in time |
 * | link_lost | the link closed while the request was under way |
 * | transfer_running | this app already reads a session over this link |
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

/** Why a recorder does not take new firmware: the specification's firmware codes 1 to 9, in their order. */
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

/** New firmware that was not taken; `number` is the specification's. */
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

/** A failed request; `result` is the number on the wire when the recorder itself refused. */
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

/** Whether a request failed because the link to the recorder is gone. Other requests over it would fail as well. */
export function isLinkLost(error: unknown): error is DeviceError {
  if (!(error instanceof DeviceError)) return false;
  return error.code === 'link_lost' || error.code === 'channel_broken' || error.code === 'timeout';
}

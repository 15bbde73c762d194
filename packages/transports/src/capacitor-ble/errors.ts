/**
 * Translates the plugin's errors. Its native implementations report only messages, not codes. Its web implementation
 * passes on the browser's errors.
 */
import { TransportError, type TransportErrorCode } from '@linnet/device/transport';
import { toTransportError as fromBrowserError } from '../web-bluetooth/errors.ts';

/**
 * The step that failed. `start` initializes the plugin, which asks for permission. The other steps are the same as for
 * Web Bluetooth.
 */
export type Step = 'start' | Parameters<typeof fromBrowserError>[0];

/** Errors with the same meaning in every step. A test checks that the plugin's sources contain each message. */
export const CODES_BY_MESSAGE: { readonly [message: string]: TransportErrorCode } = {
  // Android
  'Permission denied.': 'permission_denied',
  'BLE is not supported.': 'unsupported',
  'BLE is not available.': 'unsupported',
  'Invalid deviceId': 'not_found',
  'requestEnable failed.': 'permission_denied',
  // iOS
  'BLE permission denied': 'permission_denied',
  'BLE unsupported': 'unsupported',
  "Device not found. Call 'requestDevice', 'requestLEScan' or 'getDevices' first.": 'not_found',
  // Android and iOS
  'Not connected to device.': 'link_lost',
  // Android reports this just after losing a link. The recorder's characteristics were already found when the link was
  // opened.
  'Characteristic not found.': 'link_lost',
  // Web
  'Web Bluetooth API not available in this browser.': 'unsupported',
  'No Bluetooth radio available.': 'radio_off',
};

/** Converts the error from a step to a `TransportError`, with the plugin's error as its `cause`. */
export function toTransportError(step: Step, error: unknown): TransportError {
  if (error instanceof TransportError) return error;
  const code = CODES_BY_MESSAGE[error instanceof Error ? error.message : ''];
  if (code === 'unsupported' && globalThis.isSecureContext === false) {
    return new TransportError('insecure_context', { cause: error });
  }
  if (code) return new TransportError(code, { cause: error });
  return step === 'start'
    ? new TransportError('unsupported', { cause: error })
    : fromBrowserError(step, error);
}

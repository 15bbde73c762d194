/**
 * Translates the plugin's errors. Its native halves report only sentences, no codes; its web half passes on the
 * browser's errors.
 */
import { TransportError, type TransportErrorCode } from '@linnet/device/transport';
import { translate as translateBrowser } from '../web-bluetooth/errors.ts';

/** `start` initializes the plugin, which requests the permission; the other steps are shared with the browser. */
export type Step = 'start' | Parameters<typeof translateBrowser>[0];

/** Errors with the same meaning at every step. A test finds each sentence in the plugin's sources. */
export const SENTENCES: { readonly [sentence: string]: TransportErrorCode } = {
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
  // both
  'Not connected to device.': 'link_lost',
  // Reported on Android just after a lost link; the recorder's characteristic was found before.
  'Characteristic not found.': 'link_lost',
  // web
  'Web Bluetooth API not available in this browser.': 'unsupported',
  'No Bluetooth radio available.': 'radio_off',
};

/** Translates the error of a step; `cause` keeps the plugin's error. */
export function translate(step: Step, error: unknown): TransportError {
  if (error instanceof TransportError) return error;
  const code = SENTENCES[error instanceof Error ? error.message : ''];
  if (code === 'unsupported' && globalThis.isSecureContext === false) {
    return new TransportError('insecure_context', { cause: error });
  }
  if (code) return new TransportError(code, { cause: error });
  return step === 'start'
    ? new TransportError('unsupported', { cause: error })
    : translateBrowser(step, error);
}

/**
 * The plugin's errors, translated once. Its native halves know no codes, only sentences; its web half
 * passes on what the browser says.
 */
import { TransportError, type TransportErrorCode } from '@linnet/device/transport';
import { translate as translateBrowser } from '../web-bluetooth/errors.ts';

/** `start` readies the plugin, which asks for the permission; the others are the browser's too. */
export type Step = 'start' | Parameters<typeof translateBrowser>[0];

/** What means the same at every step. A test finds each sentence in the plugin's own sources. */
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
  // Looked for on Android when the link has just gone; that the recorder has it, was seen before.
  'Characteristic not found.': 'link_lost',
  // web
  'Web Bluetooth API not available in this browser.': 'unsupported',
  'No Bluetooth radio available.': 'radio_off',
};

/** What a failure of one step means; the plugin's error stays in `cause`. */
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

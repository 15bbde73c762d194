/** The failures of this computer's Bluetooth, and the mapping of BlueZ's errors. */

import { DBusError } from '@jellybrick/dbus-next';
import { TransportError, type TransportErrorCode } from '@linnet/device/transport';

/**
 * Why this computer's Bluetooth can't be used.
 *
 * - `no_bluez`: BlueZ isn't running, or the system has no D-Bus.
 * - `access_denied`: the user has no permission for BlueZ.
 * - `no_adapter`: there is no Bluetooth adapter.
 * - `adapter_off`: the adapter is off.
 * - `search_failed`: the search failed for a different reason.
 */
export type BluezErrorCode =
  | 'no_bluez'
  | 'access_denied'
  | 'no_adapter'
  | 'adapter_off'
  | 'search_failed';

export class BluezError extends Error {
  override readonly name = 'BluezError';
  readonly code: BluezErrorCode;

  constructor(code: BluezErrorCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

const getType = (error: unknown): string => (error instanceof DBusError ? error.type : '');

/** Returns whether a call failed because BlueZ removed the device, as it does after a while without advertisements. */
function isUnknownObject(error: unknown): boolean {
  const type = getType(error);
  return (
    type === 'org.freedesktop.DBus.Error.UnknownObject' ||
    type === 'org.freedesktop.DBus.Error.UnknownMethod'
  );
}

/** Converts the error of a call to BlueZ or its adapter. */
export function toBluezError(error: unknown, fallback: BluezErrorCode): BluezError {
  if (error instanceof BluezError) return error;
  const codes: Readonly<Record<string, BluezErrorCode>> = {
    'org.freedesktop.DBus.Error.AccessDenied': 'access_denied',
    'org.freedesktop.DBus.Error.ServiceUnknown': 'no_bluez',
    'org.bluez.Error.NotReady': 'adapter_off',
  };
  return new BluezError(codes[getType(error)] ?? fallback, { cause: error });
}

/** Converts the error of a call to a device. BlueZ's error is its `cause`. */
export function toTransportError(error: unknown, fallback: TransportErrorCode): TransportError {
  if (error instanceof TransportError) return error;
  const codes: Readonly<Record<string, TransportErrorCode>> = {
    'org.freedesktop.DBus.Error.AccessDenied': 'permission_denied',
    'org.freedesktop.DBus.Error.ServiceUnknown': 'unsupported',
    'org.bluez.Error.NotReady': 'radio_off',
    'org.bluez.Error.NotConnected': 'link_lost',
  };
  const code = isUnknownObject(error) ? 'not_found' : codes[getType(error)];
  return new TransportError(code ?? fallback, { cause: error });
}
